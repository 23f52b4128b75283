import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Knows which connections have no request under way, those that never sent one included: Node's own list leaves them out,
 * and one of them would hold up a drain until its client lets go.
 *
 * @returns a function that ends them all
 */
export function trackQuietConnections(server: Server): () => void {
  const quiet = new Set<Socket>();
  server.on("connection", (socket) => {
    quiet.add(socket);
    socket.on("close", () => quiet.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    quiet.delete(socket);
    response.on("close", () => {
      if (!socket.destroyed) quiet.add(socket);
    });
  });
  return () => {
    for (const socket of quiet) socket.destroy();
  };
}
