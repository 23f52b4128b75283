import { createAnswerer, type Handler } from "../handler.js";
import { workingsBehind } from "../workings.js";
import { byNode } from "./node-fetch.js";
import { NodeRequest } from "./node-request.js";
import type { NodeAnswer } from "./send-answer.js";

/**
 * Has a handler answer the calls of a Node server. Behind the helper's own, what is Node's already is not turned into the Web's
 * and back, and the service is called by Node's own HTTP unless the customer passed a `fetch`: together most of what a call costs.
 */
export function onNode(handler: Handler): (request: NodeRequest) => Promise<NodeAnswer> {
  const workings = workingsBehind(handler);
  if (workings === undefined) return async (request) => fromResponse(await handler(request));
  const answer = createAnswerer(workings.config, workings.coreOver(byNode));
  return (request) =>
    answer(request, {
      readBody: (limitBytes) => NodeRequest.read(request, limitBytes),
      leaving: NodeRequest.leaving(request),
    });
}

async function fromResponse(response: Response): Promise<NodeAnswer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
