import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handler } from "../http/handler.js";
import { withHttpFetch } from "./node/http-fetch.js";
import { sendResponse } from "./node-response.js";
import { bodyStreamOf, nodeRequest, toWebRequest } from "./web-request.js";

export { nodeRequest, toWebRequest };

/**
 * Creates a listener for `node:http` and for frameworks that accept such a listener.
 *
 * @example createServer(toNodeHandler(stowage)).listen(3000);
 */
export function toNodeHandler({ handler }: { handler: Handler }) {
  const fastHandler = withHttpFetch(handler);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await sendResponse(response, async () =>
      fastHandler(toWebRequest(request, response, bodyStreamOf(request))),
    );
  };
}
