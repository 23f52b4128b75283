import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handler } from "../http/handler.js";
import { withHttpFetch } from "./node/http-fetch.js";
import { sendResponse } from "./node-response.js";
import { bodyStreamOf, nodeRequest, toWebRequest } from "./web-request.js";

export { nodeRequest, toWebRequest };

/**
 * Creates a handler for Express 4 and 5. It works before and after `express.json()`.
 *
 * @example app.use("/api/stowage", toExpressHandler(stowage));
 */
export function toExpressHandler(stowage: { handler: Handler }) {
  const fastHandler = withHttpFetch(stowage.handler);
  return async (request: IncomingMessage & { body?: unknown }, response: ServerResponse): Promise<void> => {
    await sendResponse(response, async () => fastHandler(toWebRequest(request, response, bodyOf(request))));
  };
}

/** A body parser has read the stream. Its result is converted back into text. */
function bodyOf(request: IncomingMessage & { body?: unknown }): ReadableStream<Uint8Array> | string {
  const { body } = request;
  if (!wasParsed(request)) return bodyStreamOf(request);
  if (typeof body === "string") return body;
  return Buffer.isBuffer(body) ? body.toString("utf8") : JSON.stringify(body);
}

// The parsers of Express 4 set `body` to {} and do not read the stream if the content type is not theirs.
function wasParsed(request: IncomingMessage & { body?: unknown }): boolean {
  if (request.body === undefined) return false;
  return request.readableDidRead || JSON.stringify(request.body) !== "{}";
}
