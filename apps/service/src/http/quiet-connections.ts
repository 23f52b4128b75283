import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Knows which connections have no request under way, those that never sent one included: Node's own list leaves them out,
 * and one of them would hold up a drain until its client lets go.
 *
 * @returns a function that ends them all
 */
export function trackQuietConnections(server: Server): () => void {
  // Counted and not moved between sets: at each request, V8 would keep what a set leaves behind until its next full collection.
  const underWay = new Map<Socket, number>();
  const count = (socket: Socket, change: number) => {
    const before = underWay.get(socket);
    if (before !== undefined) underWay.set(socket, before + change);
  };
  server.on("connection", (socket) => {
    underWay.set(socket, 0);
    socket.on("close", () => underWay.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    count(socket, 1);
    response.on("close", () => count(socket, -1));
  });
  return () => {
    for (const [socket, requests] of underWay) if (requests === 0) socket.destroy();
  };
}
