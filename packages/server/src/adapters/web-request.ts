import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyGiven } from "./node-body.js";
import { NodeRequest } from "./node-request.js";

/**
 * The Node (or Express) request that a Web request was made from: where the sessions of Node frameworks live.
 *
 * @throws {TypeError} for a request that did not come through the node or express adapter
 * @example tenant: (request) => nodeRequest<express.Request>(request).session.userId
 */
export function nodeRequest<T extends IncomingMessage = IncomingMessage>(request: Request): T {
  const found = NodeRequest.message(request);
  if (found === undefined) throw new TypeError("nodeRequest: this request did not come from Node");
  // The caller knows its framework: the adapters put in exactly what the framework handed them.
  return found as T;
}

/**
 * A Node request as a Web request: same headers, same address, aborted when the client goes away. Without `body`
 * it has none, as a tRPC context wants it.
 *
 * @example createContext: ({ req, res }) => ({ request: toWebRequest(req, res) })
 */
export function toWebRequest(
  message: IncomingMessage,
  response: ServerResponse,
  body?: ReadableStream<Uint8Array> | string,
): Request {
  return new NodeRequest(message, response, body === undefined ? undefined : bodyGiven(body));
}
