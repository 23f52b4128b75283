import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ErrorCode } from "@stowage/schemas";

/*
 * Responses to input for which Fastify has no request object. They have the same body and headers as all other errors.
 */

/** All of them have the code `invalid_request`, because the catalogue has no code for errors of the HTTP protocol. */
const RESPONSES_BY_ERROR_CODE: Record<string, [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive"],
};

/** Answers bytes that are not a valid HTTP request. */
export function renderClientError(error: Error & { code?: string }, socket: Socket): void {
  // After a response on this connection, the client would take a second one for the answer to its next request.
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [status, detail] = RESPONSES_BY_ERROR_CODE[error.code ?? ""] ?? [400, "Request is not valid HTTP"];
  socket.end(rawResponse("invalid_request", status, detail));
}

/** Refuses CONNECT requests and unknown Expect headers. Node reports them outside of Fastify's routes. */
export function refuseConnectAndExpect(server: Server): void {
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => undefined).end(rawResponse("not_found", 404, "Not found"));
  });
  server.on("checkExpectation", ({ socket }: IncomingMessage, _response: ServerResponse) => {
    socket.end(rawResponse("invalid_request", 417, "Only Expect: 100-continue is understood"));
  });
}

function rawResponse(code: ErrorCode, status: number, detail: string): string {
  const body = JSON.stringify({ detail });
  const headers = [
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    `X-Error-Code: ${code}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  return `HTTP/1.1 ${status} Error\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
}
