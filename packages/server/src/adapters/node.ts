import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handler } from "../handler.js";
import { bodyOf } from "./node-body.js";
import { NodeRequest } from "./node-request.js";
import { onNode } from "./on-node.js";
import { sendAnswer } from "./send-answer.js";
import { nodeRequest, toWebRequest } from "./web-request.js";

export { nodeRequest, toWebRequest };

/**
 * A listener for `node:http`, and for what is built on it.
 *
 * @example createServer(toNodeHandler(stowage)).listen(3000);
 */
export function toNodeHandler({ handler }: { handler: Handler }) {
  const answer = onNode(handler);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await sendAnswer(response, async () => answer(new NodeRequest(request, response, bodyOf(request))));
  };
}
