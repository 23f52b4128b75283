import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { S3Error, type S3ErrorCode } from "../errors.js";
import { rawErrorReply } from "./error-reply.js";

/** How long the client may send nothing while the server waits for it. A slow upload is not idle. */
const IDLE_MS = 60_000;
const HEADERS_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 2048;

export interface HttpServer {
  readonly server: Server;
  /** Stops listening, lets running requests finish for at most `graceMs`, then closes every connection. */
  stop(graceMs: number): Promise<void>;
}

/** Creates Node's HTTP server with limits. `handler` must not reject. */
export function createHttpServer(
  handler: (message: IncomingMessage, response: ServerResponse) => Promise<void>,
): HttpServer {
  const running = new Map<Socket, ServerResponse>();
  const handlers = new Set<Promise<void>>();
  const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
    const { socket } = message;
    running.set(socket, response);
    response.on("error", () => {}); // a client that left early; an unhandled event would end the process
    response.once("close", () => {
      if (running.get(socket) === response) running.delete(socket);
    });
    const handled = handler(message, response).finally(() => handlers.delete(handled));
    handlers.add(handled);
  };

  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    headersTimeout: HEADERS_MS,
    requestTimeout: 0, // 5 GiB over a slow line takes hours; IDLE_MS ends idle connections
    keepAliveTimeout: IDLE_MS,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on("request", onRequest);
  // Without this listener Node would answer 100 Continue before the signature is checked.
  server.on("checkContinue", onRequest);
  server.setTimeout(IDLE_MS, (socket) => {
    const response = running.get(socket);
    // Joining parts or copying can take minutes, and the client rightly waits for it.
    const isServerBusy = response !== undefined && response.req.complete && !response.headersSent;
    if (!isServerBusy) socket.destroy();
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) =>
    answerClientError(error, socket, running.get(socket)),
  );
  return { server, stop: (graceMs) => stop(server, handlers, graceMs) };
}

function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  response: ServerResponse | undefined,
): void {
  // Extra bytes after the last request's body belong to no request, and must not destroy the answer.
  if (error.code?.startsWith("HPE_") && response?.req.complete && !response.writableFinished) {
    response.shouldKeepAlive = false;
    return;
  }
  if (!socket.writable || response?.headersSent) {
    socket.destroy();
    return;
  }
  // This also ends the running request of the connection, because its body is what broke.
  const message = isTwoLengths(error) ? `Invalid Request: ${TWO_LENGTHS}` : undefined;
  socket.end(rawErrorReply(new S3Error(codeOf(error, response !== undefined), message), "-"), () =>
    socket.destroy(),
  );
}

/** @param isInBody whether a request of the connection is running */
function codeOf({ code }: NodeJS.ErrnoException, isInBody: boolean): S3ErrorCode {
  if (code === "HPE_HEADER_OVERFLOW") return "RequestHeaderSectionTooLarge";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "RequestTimeout";
  return code === "HPE_INVALID_EOF_STATE" && isInBody ? "IncompleteBody" : "InvalidRequest";
}

const TWO_LENGTHS =
  "it has two Content-Length headers, or Content-Length and Transfer-Encoding: chunked. Send one length.";

/** The codes of Node's parser for a body whose length is given twice. */
function isTwoLengths({ code }: NodeJS.ErrnoException): boolean {
  return code === "HPE_UNEXPECTED_CONTENT_LENGTH" || code === "HPE_INVALID_TRANSFER_ENCODING";
}

async function stop(server: Server, handlers: ReadonlySet<Promise<void>>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const forceClose = setTimeout(() => server.closeAllConnections(), graceMs);
  // A connection that becomes idle after its last answer would keep the server open.
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(forceClose);
  clearInterval(closeIdle);
  await Promise.all(handlers); // each removes its incoming file
}
