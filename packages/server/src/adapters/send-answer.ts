import type { ServerResponse } from "node:http";
import { toStowageError } from "../fault.js";
import { renderError } from "../render-error.js";

/** What a Node server sends. */
export interface NodeAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Sends what `work` answers. */
export async function sendAnswer(response: ServerResponse, work: () => Promise<NodeAnswer>): Promise<void> {
  const { status, headers, body } = await answerOf(work);
  // A middleware that limits the time of a call has answered already; a second answer would throw.
  if (response.headersSent) return;
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) }).end(body);
}

/** What `work` answers, never a rejection. */
export async function answerOf(work: () => Promise<NodeAnswer>): Promise<NodeAnswer> {
  // A listener that rejects ends the whole process, so even a request that cannot be read gets an answer.
  try {
    return await work();
  } catch (thrown) {
    return renderError(toStowageError(thrown));
  }
}
