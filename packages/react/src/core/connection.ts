import type { Cancel, Runtime } from "./runtime.js";
import type { UploadTransport } from "./transport.js";
import type { UploadError } from "./upload-error.js";

/** Knows whether the backend can be reached: from the browser's events, and from asking. */
export function createConnection(
  runtime: Pick<Runtime, "after" | "isOnline" | "onConnectionChange">,
  transport: () => UploadTransport,
  onChange: () => void,
) {
  const FIRST_PROBE_MS = 5_000;
  const MAX_PROBE_MS = 30_000;
  let isOffline = false;
  let stopProbing: Cancel = () => {};
  let stopListening: Cancel | null = null;
  let check: Promise<boolean> | null = null;

  function set(next: boolean, probeMs = FIRST_PROBE_MS) {
    stopProbing();
    if (next) {
      stopProbing = runtime.after(probeMs, async () => {
        // Where nobody can be asked, the files themselves are the question.
        const isThere = await canReach(true);
        if (isOffline) set(!isThere, Math.min(MAX_PROBE_MS, probeMs * 2));
      });
    }
    if (next === isOffline) return;
    isOffline = next;
    onChange();
  }
  async function canReach(otherwise: boolean): Promise<boolean> {
    const port = transport();
    const { signal } = new AbortController();
    try {
      const answer = port.probe?.(signal) ?? port.routes?.(signal);
      await answer;
      return !!answer || otherwise;
    } catch (error) {
      return (error as UploadError).status > 0;
    }
  }
  const follow = () => set(!runtime.isOnline());

  return {
    isOffline: () => isOffline,
    /** Follows the browser's events, for as long as there is something to send. */
    watch(isNeeded: boolean) {
      if (isNeeded === !!stopListening) return;
      stopListening?.();
      stopListening = isNeeded ? runtime.onConnectionChange(follow) : null;
      set(isNeeded && !runtime.isOnline());
    },
    /** After a call without an answer: whether nobody answers at all. Many may ask at once. */
    async isLost(): Promise<boolean> {
      if (isOffline) return true;
      const isThere = await (check ??= canReach(runtime.isOnline()));
      check = null;
      // Whoever asked may have been cancelled since: then nothing waits, and nobody probes.
      if (!isThere && stopListening) set(true);
      return !isThere;
    },
  };
}
