import type { Config } from "./config.js";
import type { Core } from "./core/core.js";
import type { Handler } from "./handler.js";
import type { ServiceFetchOf } from "./service-fetch.js";

/** What the other faces of a helper are made of. */
interface Workings {
  config: Pick<Config, "tenant" | "timeoutMs" | "allowedOrigins" | "onError">;
  core: Core;
  /** Its core on another way to the service, or the same where the customer has chosen a `fetch`. */
  coreOver(fetchOf: ServiceFetchOf): Core;
}

// Beside the helper, not on it: nothing that a customer can print or hand on leads from there to the key.
const workings = new WeakMap<object, Workings>();

export function keepWorkings(stowage: { handler: Handler }, kept: Workings): void {
  workings.set(stowage, kept);
  workings.set(stowage.handler, kept);
}

/** Undefined for a handler that is not a helper's own, such as one around it. */
export function workingsBehind(handler: Handler): Workings | undefined {
  return workings.get(handler);
}

/** @throws {TypeError} for anything but what `createStowage` returned, a copy of it included */
export function workingsOf(stowage: object): Workings {
  const kept = workings.get(stowage);
  if (kept !== undefined) return kept;
  throw new TypeError("Pass the very object that createStowage returned, not a copy of it");
}
