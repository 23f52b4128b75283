import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ErrorCode, StowageError } from "@stowage/schemas";
import { connectionOf } from "./connections.js";
import { closeGently, discardSome } from "./linger.js";

/*
 * Responses to input that Fastify has no request object for. They have the same body and headers as all other errors.
 */

/** All of them have the code `invalid_request`, because the catalogue has no code for errors of the HTTP protocol. */
const RESPONSES_BY_ERROR_CODE: Record<string, [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive"],
};

/** Connections whose invalid bytes are being answered. */
const failed = new WeakSet<Socket>();

/**
 * Answers bytes that are not a valid HTTP request, and closes the connection. A client finds the request of a response by its
 * position, so the answer waits until all earlier requests are answered. Invalid bytes in the body of a request that has its answer
 * already get no answer: the client would take it for the answer to its next request.
 */
export function renderClientError(error: Error & { code?: string }, socket: Socket): void {
  const connection = connectionOf(socket);
  if (error.code === "ECONNRESET" || !connection) {
    socket.destroy();
    return;
  }
  // Node reports every further chunk of an invalid request.
  if (failed.has(socket)) return;
  failed.add(socket);
  discardSome(socket);
  const { newest } = connection;
  const invalid = newest?.request.complete === false ? newest.response : undefined;
  const isAnswered = invalid?.headersSent ?? false;
  const isOwed = invalid !== undefined && !isAnswered;
  connection.onAnswered = () => {
    if (connection.unanswered > (isOwed ? 1 : 0)) return;
    connection.onAnswered = () => undefined;
    const [status, detail] = RESPONSES_BY_ERROR_CODE[error.code ?? ""] ?? [400, "Request is not valid HTTP"];
    closeGently(socket, isAnswered ? "" : rawResponse("invalid_request", status, detail));
  };
  connection.onAnswered();
}

/** Refuses CONNECT requests and unknown Expect headers. Node reports them outside of Fastify's routes. */
export function refuseConnectAndExpect(server: Server): void {
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => undefined);
    closeGently(socket, rawResponse("not_found", 404, "Not found"));
  });
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const { headers, body } = describeError("invalid_request", "Only Expect: 100-continue is understood");
    response.writeHead(417, headers).end(body);
  });
}

/** Answers a request whose body is still arriving when the process has to end. A client may send it again. */
export function refuseUnfinishedRequest({ req, socket, headersSent }: ServerResponse): void {
  if (req.complete || headersSent || !socket?.writable) return;
  const { code, status, message } = new StowageError("unavailable");
  closeGently(socket, rawResponse(code, status, message, { "Retry-After": "1" }));
}

function rawResponse(
  code: ErrorCode,
  status: number,
  detail: string,
  moreHeaders: Record<string, string> = {},
): string {
  const { headers, body } = describeError(code, detail);
  const lines = Object.entries({ ...headers, ...moreHeaders }).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} Error\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

function describeError(code: ErrorCode, detail: string): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({ detail });
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Request-Id": randomUUID(),
    "X-Error-Code": code,
    "Cache-Control": "no-store",
    Connection: "close",
  };
  return { headers, body };
}
