import type { Network } from "../network/network.js";
import type { UploadTransport } from "../transport.js";

interface CancellationsDeps {
  /** Resolves after the delay. It is passed, because a shared module would be a chunk of its own in the first view. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
  network: Pick<Network, "callWithRetry">;
  transport(): UploadTransport;
  /** Called when a cancellation was added. */
  onAdded(path: string): void;
  /** Called when a cancellation was added or has ended. */
  onChange(): void;
}

/** The longest time for which an upload waits for earlier cancellations. */
const MAX_WAIT_MS = 2_000;

/**
 * Tells the backend which uploads were given up, one after the other, so that they no longer reserve quota. A failure changes
 * nothing: the reservation then ends when the upload URL expires.
 */
export function createCancellations({ wait, network, transport, onAdded, onChange }: CancellationsDeps) {
  const { signal } = new AbortController();
  /** The paths whose cancellation has not ended. */
  const waiting = new Set<string>();
  /** All paths that are or were cancelled. A file that fails for good is cancelled at once, and taken off the list later. */
  const added = new Set<string>();
  let last = Promise.resolve();

  const callBackend = async (path: string) => transport().cancel?.({ file_path: path }, signal);

  async function cancelUpload(path: string) {
    try {
      await network.callWithRetry(() => callBackend(path), { signal, isBackground: true });
    } catch {
      // The upload may be stored already, or the backend has no such call.
      added.delete(path);
    } finally {
      waiting.delete(path);
      onChange();
    }
  }

  return {
    /** @param path where a PUT has started */
    add(path: string) {
      if (added.has(path)) return;
      added.add(path);
      waiting.add(path);
      last = last.then(() => cancelUpload(path));
      onAdded(path);
      onChange();
    },

    /** Sends all cancellations now and without retries, because the page is about to end. @param paths further paths to cancel */
    sendAll(paths: string[]) {
      const others = paths.filter((path) => !added.has(path));
      for (const path of new Set([...waiting, ...others])) void callBackend(path).catch(() => {});
    },

    isRunning: () => waiting.size > 0,

    /** Resolves when the cancellations so far have returned their quota, or after two seconds. */
    settled: (uploadSignal: AbortSignal): Promise<void> =>
      Promise.race([last, wait(MAX_WAIT_MS, uploadSignal)]),
  };
}

export type Cancellations = ReturnType<typeof createCancellations>;
