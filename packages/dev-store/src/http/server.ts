import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { S3Error } from "../errors.js";
import { rawRefusal } from "./refusal.js";

/** How long a connection may be silent while it is its turn to speak. A slow upload is not silent. */
const IDLE_MS = 60_000;
const HEADERS_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 2048;

export interface HttpServer {
  readonly server: Server;
  /** Ends: answers what is under way for at most `graceMs`, then cuts. */
  stop(graceMs: number): Promise<void>;
}

/** Node's HTTP server, held to limits. `handler` must not reject. */
export function createHttpServer(
  handler: (message: IncomingMessage, response: ServerResponse) => Promise<void>,
): HttpServer {
  const underWay = new Map<Socket, ServerResponse>();
  const handlers = new Set<Promise<void>>();
  const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
    const { socket } = message;
    underWay.set(socket, response);
    response.on("error", () => {}); // a client that left early; unheard, the event would end the process
    response.once("close", () => {
      if (underWay.get(socket) === response) underWay.delete(socket);
    });
    const handled = handler(message, response).finally(() => handlers.delete(handled));
    handlers.add(handled);
  };

  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    headersTimeout: HEADERS_MS,
    requestTimeout: 0, // of a whole request: 5 GiB over a slow line takes hours, and IDLE_MS guards against silence
    keepAliveTimeout: IDLE_MS,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on("request", onRequest);
  // Without a listener Node would answer 100 Continue itself, before the signature was looked at.
  server.on("checkContinue", onRequest);
  server.setTimeout(IDLE_MS, (socket) => {
    const response = underWay.get(socket);
    // Joining parts or copying can take minutes, and then the silence is ours.
    const isOurTurn = response !== undefined && response.req.complete && !response.headersSent;
    if (!isOurTurn) socket.destroy();
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseRaw(error, socket, underWay.get(socket)),
  );
  return { server, stop: (graceMs) => stop(server, handlers, graceMs) };
}

function refuseRaw(error: NodeJS.ErrnoException, socket: Socket, response: ServerResponse | undefined): void {
  // Bytes after the body of a last request are nobody's: they neither belong to the object nor undo its answer.
  if (error.code === "HPE_CLOSED_CONNECTION" && response?.req.complete && !response.writableFinished) return;
  if (!socket.writable || response?.headersSent) {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const code = isTooLarge ? "RequestHeaderSectionTooLarge" : isLate ? "RequestTimeout" : "InvalidRequest";
  // Ends what is under way on this connection too: its body is the thing that broke.
  socket.end(rawRefusal(new S3Error(code), "-"), () => socket.destroy());
}

async function stop(server: Server, handlers: ReadonlySet<Promise<void>>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  // A connection kept alive by an answer that was under way would hold the server open.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(cut);
  clearInterval(sweep);
  await Promise.all(handlers); // each removes its unfinished file
}
