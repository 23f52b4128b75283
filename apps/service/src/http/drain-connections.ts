import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { refuseUnfinishedRequest } from "./raw-responses.js";

/** Ends a server's connections without cutting a request. */
export interface Connections {
  /** From now on every answer closes its connection. The server still accepts connections. */
  startDraining(): void;
  /** Stops listening, closes the idle connections, and waits until the running requests have closed theirs. */
  close(options?: CloseOptions): Promise<void>;
  /** Answers the requests whose body has not arrived yet with 503. The service has not begun to work on them. */
  refuseUnfinishedRequests(): void;
}

export interface CloseOptions {
  /**
   * How long a connection must be idle before it is closed. A proxy may send a request at the same moment, and the longer it has
   * sent none, the less likely that is. The time counts from `startDraining`. @default 0
   */
  idleMs?: number;
  /**
   * How long answers keep their connections open again before the server stops listening. A connection that is accepted by the
   * system and not by this process is reset then, and nginx answers its POST with 502. It opens no connection while it has one that
   * it can use again. @default 0
   */
  reuseMs?: number;
}

/** Counted here, because Node's `closeIdleConnections()` also closes connections with an answer that is not sent completely. */
interface Connection {
  runningRequests: number;
  newestResponse: ServerResponse | null;
  /** The value of `socket.bytesRead` when the connection became idle. If there are more bytes, a request is arriving. */
  bytesWhenIdle: number;
  /** When a sweep first found it idle, or null. On the clock of `performance.now()`. */
  idleSince: number | null;
}

const SWEEP_INTERVAL_MS = 50;
/** A proxy sends the header of a request at once. */
const HEADERS_MS = 1000;

/** Tracks the connections of a server. Call it before the server listens. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();
  let isDraining = false;
  let closesConnections = false;
  let sweeper: NodeJS.Timeout | undefined;

  server.on("connection", (socket) => {
    connections.set(socket, { runningRequests: 0, newestResponse: null, bytesWhenIdle: 0, idleSince: null });
    socket.on("close", () => connections.delete(socket));
  });
  // Before Fastify's listener, which can answer at once.
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    if (closesConnections) {
      // The connection closes after the last one of pipelined requests.
      if (connection.newestResponse) connection.newestResponse.shouldKeepAlive = true;
      response.shouldKeepAlive = false;
    }
    connection.runningRequests++;
    connection.newestResponse = response;
    response.on("close", () => {
      connection.runningRequests--;
      if (connection.runningRequests > 0) return;
      connection.newestResponse = null;
      connection.bytesWhenIdle = request.socket.bytesRead;
    });
  });

  function noteIdleConnections(): void {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      const isIdle = connection.runningRequests === 0 && socket.bytesRead === connection.bytesWhenIdle;
      connection.idleSince = isIdle ? (connection.idleSince ?? now) : null;
    }
  }

  /** @param waitsForHeaders whether connections on which the header of a request is arriving stay open */
  function closeIdleConnections(idleMs: number, waitsForHeaders: boolean): void {
    noteIdleConnections();
    const latest = performance.now() - idleMs;
    for (const [socket, { runningRequests, idleSince }] of connections) {
      const isIdle = idleSince !== null && idleSince <= latest;
      const isArriving = idleSince === null && runningRequests === 0;
      if (isIdle || (isArriving && !waitsForHeaders)) socket.destroy();
    }
  }

  function startDraining(): void {
    if (isDraining) return;
    isDraining = true;
    closeAfterAnswers();
    noteIdleConnections();
    sweeper = setInterval(noteIdleConnections, SWEEP_INTERVAL_MS).unref();
  }

  function closeAfterAnswers(): void {
    closesConnections = true;
    for (const { newestResponse } of connections.values()) {
      if (newestResponse) newestResponse.shouldKeepAlive = false;
    }
  }

  return {
    startDraining,
    async close({ idleMs = 0, reuseMs = 0 } = {}) {
      startDraining();
      closesConnections = reuseMs === 0;
      await sleep(reuseMs);
      await quietTurn();
      closeIdleConnections(idleMs, true);
      await quietTurn();
      stopListening(server);
      closeAfterAnswers();
      const headersDeadline = performance.now() + HEADERS_MS;
      // A closed socket reports it in the next turn.
      await nextTurn();
      while (connections.size > 0) {
        await sleep(SWEEP_INTERVAL_MS);
        closeIdleConnections(idleMs, performance.now() < headersDeadline);
      }
      clearInterval(sweeper);
    },
    refuseUnfinishedRequests() {
      for (const { newestResponse } of connections.values()) {
        if (newestResponse) refuseUnfinishedRequest(newestResponse);
      }
    },
  };
}

const QUIET_TURN_MS = 0.05;
const MAX_WAIT_FOR_QUIET_MS = 200;

/**
 * Waits for a turn of the event loop that found nothing to read. Connections and requests that have reached this machine but not
 * this process would be reset, and a proxy answers a reset POST with 502.
 */
async function quietTurn(): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_FOR_QUIET_MS;
  for (let before = performance.now(); before < deadline;) {
    await nextTurn();
    const now = performance.now();
    if (now - before < QUIET_TURN_MS) return;
    before = now;
  }
}

/** `http.Server` would also close the idle connections. */
function stopListening(server: Server): void {
  if (server.listening) NetServer.prototype.close.call(server);
}
