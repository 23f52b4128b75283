import type { Cancel, Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import type { UploadError } from "../upload-error.js";

const FIRST_PROBE_MS = 5_000;
const MAX_PROBE_MS = 30_000;

/**
 * Tracks whether the backend can be reached. It listens to the browser's online and offline events. While it is offline it also
 * probes the backend, because the events may be wrong.
 *
 * @param onChange called when `isOffline()` changes
 */
export function createConnection(
  runtime: Pick<Runtime, "after" | "isOnline" | "onConnectionChange">,
  transport: () => UploadTransport,
  onChange: () => void,
) {
  let isOffline = false;
  let cancelProbe: Cancel = () => {};
  let stopListening: Cancel | null = null;
  let pendingCheck: Promise<boolean> | null = null;

  function setOffline(next: boolean, probeDelayMs = FIRST_PROBE_MS) {
    cancelProbe();
    if (next) cancelProbe = runtime.after(probeDelayMs, () => void probe(probeDelayMs));
    if (next === isOffline) return;
    isOffline = next;
    onChange();
  }

  async function probe(lastDelayMs: number) {
    // A transport without a probe counts as reachable. The next upload shows whether it is.
    const isReachable = await canReach({ ifUnknown: true });
    if (isOffline) setOffline(!isReachable, Math.min(MAX_PROBE_MS, lastDelayMs * 2));
  }

  /** Every answer proves that the backend can be reached, even an error status. */
  async function canReach({ ifUnknown }: { ifUnknown: boolean }): Promise<boolean> {
    const port = transport();
    const { signal } = new AbortController();
    try {
      const answer = port.probe?.(signal) ?? port.routes?.(signal);
      await answer;
      return answer ? true : ifUnknown;
    } catch (error) {
      return (error as UploadError).status > 0;
    }
  }

  return {
    isOffline: () => isOffline,

    /** Starts or stops listening to the browser's events. They are needed only while files are uploaded. */
    watch(isNeeded: boolean) {
      const isWatching = stopListening !== null;
      if (isNeeded === isWatching) return;
      stopListening?.();
      stopListening = isNeeded ? runtime.onConnectionChange(() => setOffline(!runtime.isOnline())) : null;
      setOffline(isNeeded && !runtime.isOnline());
    },

    /** Checks whether the connection is lost. Call it after a call got no answer. Concurrent calls share one check. */
    async isLost(): Promise<boolean> {
      if (isOffline) return true;
      const isReachable = await (pendingCheck ??= canReach({ ifUnknown: runtime.isOnline() }));
      pendingCheck = null;
      // Uploads may have been cancelled meanwhile. Then no probe is needed.
      if (!isReachable && stopListening) setOffline(true);
      return !isReachable;
    },
  };
}

export type Connection = ReturnType<typeof createConnection>;
