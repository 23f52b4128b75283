import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Tracks the connections without a running request, including those that never sent one. Node's `closeIdleConnections()` leaves
 * those out, and one of them would delay a drain until its client closes it.
 *
 * @returns a function that closes all idle connections
 */
export function trackIdleConnections(server: Server): () => void {
  // Counts per socket. Moving sockets between two sets at each request would leave garbage until V8's next full collection.
  const requestCounts = new Map<Socket, number>();
  const count = (socket: Socket, change: number) => {
    const before = requestCounts.get(socket);
    if (before !== undefined) requestCounts.set(socket, before + change);
  };
  server.on("connection", (socket) => {
    requestCounts.set(socket, 0);
    socket.on("close", () => requestCounts.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    count(socket, 1);
    response.on("close", () => count(socket, -1));
  });
  return () => {
    for (const [socket, requests] of requestCounts) {
      if (requests === 0) socket.destroy();
    }
  };
}
