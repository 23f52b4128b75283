import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { createCollector } from "./collect-garbage.js";
import { drain } from "./drain.js";
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
    const collect = createCollector();
    body.on("data", (block: Buffer) => collect(block.length));
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
