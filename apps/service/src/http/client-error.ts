import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";

const STATUS: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive"],
};

/** Answers what is not HTTP at all, before there is a request to answer: the same body and header as everywhere else. */
export function renderClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, detail] = STATUS[error.code ?? ""] ?? [400, "Request is not valid HTTP"];
  const body = JSON.stringify({ detail });
  socket.end(
    `HTTP/1.1 ${status} Error\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
  );
}
