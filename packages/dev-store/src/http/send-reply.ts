import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Reply } from "./reply.js";

/**
 * Sends an answer. If the request's body has not been read completely (usually after an error), it sends the whole answer
 * first and then discards the rest of the body: a client that writes before it reads would otherwise never see the answer.
 */
export async function sendReply(
  message: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
): Promise<void> {
  const isUnread = !message.complete;
  // An answer to HEAD has a Content-Length and no body.
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

/** How much of an unwanted body is read before the connection is closed. */
const MAX_DRAINED_BYTES = 256 * 1024 ** 2;
const MAX_DRAIN_MS = 10_000;

/**
 * Reads and discards the rest of a body, within limits. Closing a socket with unread bytes sends a reset, which can destroy
 * the answer before the client has read it (RFC 9112 section 9.6).
 */
async function drain(message: IncomingMessage): Promise<void> {
  // A message whose connection is already closed emits no further event.
  if (message.destroyed) return;
  await new Promise<void>((resolve) => {
    let drainedBytes = 0;
    const count = (chunk: Buffer): void => {
      drainedBytes += chunk.length;
      if (drainedBytes > MAX_DRAINED_BYTES) finish();
    };
    const finish = (): void => {
      clearTimeout(deadline);
      message.off("data", count).off("end", finish).off("close", finish).off("error", finish);
      // A body that breaks off later emits an error, which must not end the process.
      message.on("error", () => {});
      resolve();
    };
    const deadline = setTimeout(finish, MAX_DRAIN_MS);
    message.on("data", count).on("end", finish).on("close", finish).on("error", finish);
    message.resume();
  });
}
