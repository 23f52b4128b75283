import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { connectionOf } from "./connections.js";
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
  /** How long the header of a request may take to arrive. A proxy sends it at once. @default 1000 */
  headersMs?: number;
}

const SWEEP_INTERVAL_MS = 50;
const HEADERS_MS = 1000;

/**
 * Tracks the open connections of a server. Call it after `trackRequests` and before the server listens. Node's
 * `closeIdleConnections()` is not used, because it also closes connections with an answer that is not sent completely.
 */
export function trackConnections(server: Server): Connections {
  /** When a sweep first found each connection idle, on the clock of `performance.now()`. Null: it is in use. */
  const idleSince = new Map<Socket, number | null>();
  let isDraining = false;
  let closesConnections = false;
  let sweeper: NodeJS.Timeout | undefined;

  server.on("connection", (socket) => {
    idleSince.set(socket, null);
    socket.on("close", () => idleSince.delete(socket));
  });
  // Before the listener of `trackRequests`, so that `newest` is still the request before this one.
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!closesConnections) return;
    // The connection closes after the last one of pipelined requests.
    const earlier = connectionOf(socket)?.newest?.response;
    if (earlier) earlier.shouldKeepAlive = true;
    response.shouldKeepAlive = false;
  });

  function noteIdleConnections(): void {
    const now = performance.now();
    for (const [socket, since] of idleSince) idleSince.set(socket, isIdle(socket) ? (since ?? now) : null);
  }

  /** @param waitsForHeaders whether connections on which the header of a request is arriving stay open */
  function closeIdleConnections(idleMs: number, waitsForHeaders: boolean): void {
    noteIdleConnections();
    const latest = performance.now() - idleMs;
    for (const [socket, since] of idleSince) {
      const isArriving = since === null && connectionOf(socket)?.unanswered === 0;
      if ((since !== null && since <= latest) || (isArriving && !waitsForHeaders)) socket.destroy();
    }
  }

  /** The newest response of each connection. Connections that were always idle have none. */
  const newestResponses = () =>
    [...idleSince.keys()].flatMap((socket) => connectionOf(socket)?.newest?.response ?? []);

  function startDraining(): void {
    if (isDraining) return;
    isDraining = true;
    closeAfterAnswers();
    noteIdleConnections();
    sweeper = setInterval(noteIdleConnections, SWEEP_INTERVAL_MS).unref();
  }

  function closeAfterAnswers(): void {
    closesConnections = true;
    for (const response of newestResponses()) response.shouldKeepAlive = false;
  }

  return {
    startDraining,
    async close({ idleMs = 0, reuseMs = 0, headersMs = HEADERS_MS } = {}) {
      startDraining();
      closesConnections = reuseMs === 0;
      await sleep(reuseMs);
      await quietTurn();
      closeIdleConnections(idleMs, true);
      await quietTurn();
      stopListening(server);
      closeAfterAnswers();
      const headersDeadline = performance.now() + headersMs;
      // A closed socket reports it in the next turn.
      await nextTurn();
      while (idleSince.size > 0) {
        await sleep(SWEEP_INTERVAL_MS);
        closeIdleConnections(idleMs, performance.now() < headersDeadline);
      }
      clearInterval(sweeper);
    },
    refuseUnfinishedRequests() {
      for (const response of newestResponses()) refuseUnfinishedRequest(response);
    },
  };
}

function isIdle(socket: Socket): boolean {
  const connection = connectionOf(socket);
  return connection?.unanswered === 0 && socket.bytesRead === connection.bytesWhenAnswered;
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
