import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The requests of an open connection. Node has no API for them. */
export interface Connection {
  /** Requests whose response has not ended. */
  unanswered: number;
  /** The newest request whose headers are valid. Undefined when it has arrived as a whole and all requests are answered. */
  newest: { request: IncomingMessage; response: ServerResponse } | undefined;
  /** The value of `socket.bytesRead` when the newest response ended. If there are more bytes, a request is arriving. */
  bytesWhenAnswered: number;
  /** Called when a response ends. */
  onAnswered: () => void;
}

const connections = new WeakMap<Socket, Connection>();

/** Tracks the requests of each connection. Call it before the server listens. */
export function trackRequests(server: Server): void {
  server.on("connection", (socket) => {
    connections.set(socket, {
      unanswered: 0,
      newest: undefined,
      bytesWhenAnswered: 0,
      onAnswered: () => undefined,
    });
  });
  const track = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    connection.unanswered++;
    connection.newest = { request, response };
    response.on("close", () => {
      connection.unanswered--;
      connection.bytesWhenAnswered = request.socket.bytesRead;
      // An idle connection keeps no request in memory.
      if (request.complete && connection.unanswered === 0) connection.newest = undefined;
      connection.onAnswered();
    });
  };
  // Before Fastify's listener, which can answer at once.
  server.prependListener("request", track).prependListener("checkExpectation", track);
}

/** Returns the requests of a connection to a server that {@link trackRequests} tracks. */
export function connectionOf(socket: Socket): Connection | undefined {
  return connections.get(socket);
}
