import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handler } from "../handler.js";
import { answer } from "./answer.js";
import { bodyOf } from "./body-of.js";
import { nodeRequest, toWebRequest } from "./web-request.js";

export { nodeRequest, toWebRequest };

/**
 * A listener for `node:http`, and for what is built on it.
 *
 * @example createServer(toNodeHandler(stowage)).listen(3000);
 */
export function toNodeHandler({ handler }: { handler: Handler }) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await answer(response, () => handler(toWebRequest(request, response, bodyOf(request))));
  };
}
