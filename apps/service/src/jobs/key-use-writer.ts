import type { KeyUses } from "#projects/key-uses.js";
import { type Job, repeat } from "./repeat.js";

const INTERVAL_MS = 10_000;

/** Writes down every now and then when keys were last used. */
export function startKeyUseWriter(deps: { keyUses: KeyUses; onError: (error: unknown) => void }): Job {
  const write = async () => {
    await deps.keyUses.write();
    return false;
  };
  return repeat(write, INTERVAL_MS, deps.onError);
}
