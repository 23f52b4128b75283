/*
 * Fast path: the Node adapters call the service by `node:http` instead of `fetch`.
 *
 * Reason: `fetch` of Node 20 costs more CPU than the rest of the helper together. The target is to serve at least 8 times as many
 * `request` calls as UploadThing's route handler for the same CPU time.
 * Measured on Node 20.20, two cores, medians of five rounds: by `fetch` 740 µs of CPU per call, 6.5 times UploadThing's rate; by
 * `node:http` 471 µs, 10.3 times. Without this file the helper misses the target. No other fast path is needed.
 * Command: `npx pnpm lab bench helper`; to measure without this file, let `withHttpFetch` return its argument.
 */
import { text } from "node:stream/consumers";
import type { Handler } from "../../http/handler.js";
import { findInternals } from "../../internals.js";
import { responseTo, startRequest } from "../../node-http.js";
import type { ServiceFetch } from "../../service-api/service-client.js";

const originalFetch = globalThis.fetch;

/** Calls the service by `node:http`, or by `globalThis.fetch` if instrumentation has replaced it. */
const httpFetch: ServiceFetch = async (url, init) => {
  if (globalThis.fetch !== originalFetch) return globalThis.fetch(url, init);
  const { method, headers, body, signal } = init;
  const request = startRequest(url, { method, headers, signal });
  const responded = responseTo(request);
  request.end(body);
  const message = await responded;
  const received = await text(message);
  return new Response(received === "" ? null : received, {
    status: message.statusCode ?? 0,
    // Node joins repeated headers into one string. Its types allow a list for Set-Cookie, which the service does not send.
    headers: message.headers as Record<string, string>,
  });
};

/** Makes a helper's handler call the service by `httpFetch`. Handlers that are not a helper's own stay as they are. */
export function withHttpFetch(handler: Handler): Handler {
  return findInternals(handler)?.createHandlerWith(httpFetch) ?? handler;
}
