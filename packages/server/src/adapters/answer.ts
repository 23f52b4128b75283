import type { ServerResponse } from "node:http";
import { toStowageError } from "../fault.js";
import { renderError } from "../render-error.js";

/** Sends what `work` answers. */
export async function answer(response: ServerResponse, work: () => Promise<Response>): Promise<void> {
  const { status, headers, body } = await answerBytes(work);
  // A middleware that limits the time of a call has answered already; a second answer would throw.
  if (response.headersSent) return;
  response.writeHead(status, { ...headers, "content-length": body.length }).end(body);
}

/** What `work` answers, never a rejection. Its body is read whole: the helper's answers are a few hundred bytes. */
export async function answerBytes(work: () => Promise<Response>) {
  // A listener that rejects ends the whole process, so even a request that cannot be read gets an answer.
  return Promise.resolve()
    .then(work)
    .then(toBytes)
    .catch((thrown: unknown) => toBytes(renderError(toStowageError(thrown))));
}

async function toBytes(response: Response) {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}
