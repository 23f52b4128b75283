import type { Config } from "./config.js";
import type { Core } from "./core/core.js";
import type { Handler } from "./http/handler.js";
import type { ServiceFetch } from "./service-api/service-client.js";

/** The parts of a helper that the tRPC router and the Node adapters build on. */
export interface Internals {
  config: Pick<Config, "allowedOrigins" | "onError" | "tenant" | "timeoutMs">;
  core: Core;
  /** Creates a handler that calls the service by `fetch`, unless the customer passed a `fetch` of their own. */
  createHandlerWith(fetch: ServiceFetch): Handler;
}

// A WeakMap instead of properties: nothing that a customer can print or pass on leads to the API key.
const internals = new WeakMap<object, Internals>();

export function saveInternals(stowage: { handler: Handler }, saved: Internals): void {
  internals.set(stowage, saved);
  internals.set(stowage.handler, saved);
}

/** Returns undefined for a handler that `createStowage` did not make, such as a wrapper around its handler. */
export function findInternals(handler: Handler): Internals | undefined {
  return internals.get(handler);
}

/** @throws {TypeError} for an object that `createStowage` did not return, such as a copy */
export function internalsOf(stowage: object): Internals {
  const found = internals.get(stowage);
  if (found !== undefined) return found;
  throw new TypeError("Pass the object that createStowage returned, not a copy of it");
}
