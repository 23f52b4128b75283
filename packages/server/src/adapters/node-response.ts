import type { ServerResponse } from "node:http";
import { toStowageError } from "../errors.js";
import { errorResponse } from "../http/json-response.js";

export interface NodeResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Sends the Web response that `respond` returns. Never rejects. */
export async function sendResponse(
  serverResponse: ServerResponse,
  respond: () => Promise<Response>,
): Promise<void> {
  const { status, headers, body } = await toNodeResponse(respond);
  // A middleware that limits the time of a request may have answered already. A second response would throw.
  if (serverResponse.headersSent) return;
  // HTTP forbids Content-Length in a 204 (RFC 9110, 8.6).
  const length = status === 204 ? {} : { "Content-Length": body.length };
  serverResponse.writeHead(status, { ...headers, ...length }).end(body);
}

/** Converts the Web response that `respond` returns. Never rejects: a listener that rejects ends the whole process. */
export async function toNodeResponse(respond: () => Promise<Response>): Promise<NodeResponse> {
  const response = await respond().catch((thrown: unknown) => errorResponse(toStowageError(thrown)));
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
