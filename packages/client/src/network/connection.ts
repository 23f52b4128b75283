import type { Cancel, Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import type { UploadError } from "../upload-error.js";

/**
 * `offline`: the browser says that there is no network. `unreachable`: the browser believes that there is one, but the
 * backend does not answer. The browser hides why: the server may be stopped, it may refuse the page's origin, or the
 * network may lead nowhere.
 */
export type ConnectionState = "online" | "offline" | "unreachable";

const FIRST_PROBE_MS = 5_000;
const MAX_PROBE_MS = 30_000;
/** Long enough for a restart of the server, and short enough that a page that can never reach it says so. */
const MAX_UNREACHABLE_MS = 300_000;

/**
 * Tracks whether the backend can be reached. It listens to the browser's online and offline events. While the backend cannot be
 * reached it also probes it, because the events may be wrong.
 *
 * Uploads wait for the network as long as the browser is offline: the person sees why and may cancel. They wait five minutes
 * for a backend that does not answer.
 *
 * @param onChange called when `state()` or `isHeld()` changes
 */
export function createConnection(
  runtime: Pick<Runtime, "after" | "uptimeMs" | "isOnline" | "onConnectionChange">,
  transport: () => UploadTransport,
  onChange: () => void,
) {
  let state: ConnectionState = "online";
  let sinceMs = 0;
  let hasGivenUp = false;
  let cancelProbe: Cancel = () => {};
  let stopListening: Cancel | null = null;
  let pendingCheck: Promise<boolean> | null = null;

  function setState(next: ConnectionState) {
    if (next === state) return;
    cancelProbe();
    state = next;
    sinceMs = runtime.uptimeMs();
    hasGivenUp = false;
    if (next !== "online") probeAfter(FIRST_PROBE_MS);
    onChange();
  }

  function probeAfter(delayMs: number) {
    // A probe that began before the last change of the state may end after it, when the next one is planned already.
    cancelProbe();
    cancelProbe = runtime.after(delayMs, () => void probe(delayMs));
  }

  async function probe(delayMs: number) {
    // A transport without a probe counts as reachable. The next upload shows whether it is.
    const isReachable = await canReach({ ifUnknown: true });
    if (state === "online") return;
    if (isReachable) return setState("online");
    probeAfter(Math.min(MAX_PROBE_MS, delayMs * 2));
    if (state === "offline" || hasGivenUp || runtime.uptimeMs() - sinceMs < MAX_UNREACHABLE_MS) return;
    hasGivenUp = true;
    onChange();
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

  const believedState = () => (runtime.isOnline() ? "online" : "offline");

  return {
    state: () => state,
    /** Whether calls wait for the connection. */
    isHeld: () => state !== "online" && !hasGivenUp,
    /** Whether calls fail at their first attempt, because the backend has not answered for five minutes. */
    hasGivenUp: () => hasGivenUp,

    /** Starts or stops listening to the browser's events. They are needed only while files are uploaded. */
    watch(isNeeded: boolean) {
      const isWatching = stopListening !== null;
      if (isNeeded === isWatching) return;
      stopListening?.();
      stopListening = isNeeded ? runtime.onConnectionChange(() => setState(believedState())) : null;
      setState(isNeeded ? believedState() : "online");
    },

    /** Checks whether the connection is lost. Call it after a call got no answer. Concurrent calls share one check. */
    async isLost(): Promise<boolean> {
      if (state !== "online") return true;
      const isReachable = await (pendingCheck ??= canReach({ ifUnknown: runtime.isOnline() }));
      pendingCheck = null;
      // Uploads may have been cancelled meanwhile. Then no probe is needed.
      if (!isReachable && stopListening) setState(runtime.isOnline() ? "unreachable" : "offline");
      return !isReachable;
    },

    /** Call this when the backend has answered. */
    confirm() {
      if (state === "unreachable") setState("online");
    },
  };
}

export type Connection = ReturnType<typeof createConnection>;
