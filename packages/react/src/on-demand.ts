import { loadCode, type NamedCode } from "@stowage/client/internals";
import { useEffect, useSyncExternalStore } from "react";

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

/** Code that the first view of a component does not need. One object for each such module, outside of all components. */
export function onDemand<Code extends NamedCode>(load: () => Promise<Code>, codeName: Code["codeName"]) {
  const listeners = new Set<() => void>();
  let code: Code | null = null;

  /** @throws the error of the bundler's loader */
  async function loadOnce() {
    code ??= await loadCode(load, codeName);
    for (const listener of listeners) {
      listener();
    }
  }

  return {
    current: () => code,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    load: loadOnce,
    /** Loads the code, and tries again until it is there: after pauses, and as soon as the browser is online. */
    keepLoading() {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let delayMs = FIRST_DELAY_MS;
      const stop = () => {
        clearTimeout(timer);
        removeEventListener("online", attempt);
      };
      function attempt() {
        clearTimeout(timer);
        loadOnce().then(stop, () => {
          timer = setTimeout(attempt, delayMs);
          delayMs = Math.min(MAX_DELAY_MS, 2 * delayMs);
        });
      }
      addEventListener("online", attempt);
      attempt();
      return stop;
    },
  };
}

/** @returns the code; null until it is there, and on a server */
export function useOnDemand<Code extends NamedCode>(
  source: ReturnType<typeof onDemand<Code>>,
  isNeeded: boolean,
): Code | null {
  const code = useSyncExternalStore(source.subscribe, source.current, () => null);
  const isMissing = isNeeded && code === null;
  useEffect(() => (isMissing ? source.keepLoading() : undefined), [source, isMissing]);
  return code;
}
