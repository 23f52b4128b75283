import type { Config } from "./config.js";
import type { Core } from "./core/core.js";

/** What the other faces of a helper are made of. */
interface Workings {
  config: Pick<Config, "tenant" | "timeoutMs" | "allowedOrigins" | "onError">;
  core: Core;
}

// Beside the helper, not on it: nothing that a customer can print or hand on leads from there to the key.
const workings = new WeakMap<object, Workings>();

export function keepWorkings(stowage: object, kept: Workings): void {
  workings.set(stowage, kept);
}

/** @throws {TypeError} for anything but what `createStowage` returned, a copy of it included */
export function workingsOf(stowage: object): Workings {
  const kept = workings.get(stowage);
  if (kept !== undefined) return kept;
  throw new TypeError("Pass the very object that createStowage returned, not a copy of it");
}
