import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";

const ANSWERS: Record<string, [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive"],
};

/** Answers what is not HTTP at all, before there is a request to answer: the same body and header as everywhere else. */
export function renderClientError(error: Error & { code?: string }, socket: Socket): void {
  // After an answer on this connection another one would be taken for the next request's.
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0)
    return void socket.destroy();
  socket.end(rawAnswer(...(ANSWERS[error.code ?? ""] ?? [400, "Request is not valid HTTP"])));
}

/** A whole HTTP answer, for where Node gives a socket and nothing to answer with. */
export function rawAnswer(status: number, detail: string): string {
  const body = JSON.stringify({ detail });
  const headers = [
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  return `HTTP/1.1 ${status} Error\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
}
