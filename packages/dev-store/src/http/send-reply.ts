import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Reply } from "./reply.js";

/**
 * Sends an answer. When the request's body is not all here (a refusal, mostly) the answer goes out whole first and
 * the rest of the body is then read away: a client that writes before it reads would otherwise never see it.
 */
export async function sendReply(
  message: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
): Promise<void> {
  const isUnread = !message.complete;
  // A response to HEAD keeps its Content-Length and has no body.
  const body = message.method === "HEAD" ? undefined : reply.body;
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  if (isUnread) response.setHeader("Connection", "close");
  response.statusCode = reply.status;

  if (body !== undefined && typeof body !== "string") {
    if (isUnread) message.resume();
    await pipeline(body, response);
    return;
  }
  if (!response.hasHeader("Content-Length") && reply.status !== 204 && reply.status !== 304)
    response.setHeader("Content-Length", Buffer.byteLength(body ?? ""));
  if (isUnread) {
    response.flushHeaders();
    if (body) response.write(body);
    await drain(message);
    response.end();
  } else {
    response.end(body);
  }
}

/** What is read of a body that nobody wants, before the connection is cut. */
const MAX_DRAINED_BYTES = 256 * 1024 ** 2;
const MAX_DRAIN_MS = 10_000;

/**
 * Reads a refused body away, within bounds. Closing a socket with unread bytes sends a reset, which can destroy the
 * answer before the client has read it (RFC 9112 section 9.6).
 */
async function drain(message: IncomingMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    let drainedBytes = 0;
    const count = (chunk: Buffer): void => {
      drainedBytes += chunk.length;
      if (drainedBytes > MAX_DRAINED_BYTES) finish();
    };
    const finish = (): void => {
      clearTimeout(deadline);
      message.off("data", count).off("end", finish).off("close", finish).off("error", finish);
      // A cut body is an error event later on, and nobody is left to whom it matters.
      message.on("error", () => {});
      resolve();
    };
    const deadline = setTimeout(finish, MAX_DRAIN_MS);
    message.on("data", count).on("end", finish).on("close", finish).on("error", finish);
    message.resume();
  });
}
