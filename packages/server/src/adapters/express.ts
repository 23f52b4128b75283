import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handler } from "../handler.js";
import { nodeRequest, toNodeHandler, toWebRequest } from "./node.js";
import { bodyGiven } from "./node-body.js";
import { NodeRequest } from "./node-request.js";
import { onNode } from "./on-node.js";
import { sendAnswer } from "./send-answer.js";

export { nodeRequest, toWebRequest };

/**
 * A handler for Express 4 and 5, before or after `express.json()`.
 *
 * @example app.use("/api/stowage", toExpressHandler(stowage));
 */
export function toExpressHandler(stowage: { handler: Handler }) {
  const fromStream = toNodeHandler(stowage);
  const answer = onNode(stowage.handler);
  return async (request: IncomingMessage & { body?: unknown }, response: ServerResponse): Promise<void> => {
    if (!isRead(request)) return fromStream(request, response);
    const body = bodyGiven(textOf(request.body));
    await sendAnswer(response, async () => answer(new NodeRequest(request, response, body)));
  };
}

// Express 4's parsers leave an empty object on a body that is none of theirs, and unread.
function isRead(request: IncomingMessage & { body?: unknown }): boolean {
  if (request.body === undefined) return false;
  return request.readableDidRead || JSON.stringify(request.body) !== "{}";
}

// A body parser has read the stream; what it left is written out again.
function textOf(body: unknown): string {
  if (typeof body === "string") return body;
  return Buffer.isBuffer(body) ? body.toString("utf8") : JSON.stringify(body);
}
