import type { Network } from "../network/network.js";
import { type Runtime, wait } from "../runtime.js";
import type { UploadTransport } from "../transport.js";

interface CancellationsDeps {
  runtime: Pick<Runtime, "after">;
  network: Pick<Network, "callWithRetry">;
  transport(): UploadTransport;
}

/** An upload does not wait longer for earlier cancellations. */
const MAX_WAIT_MS = 2_000;

/**
 * Tells the backend which uploads were given up, one after the other, so that they no longer reserve quota. A failure changes
 * nothing: the reservation then ends when the upload URL expires.
 */
export function createCancellations({ runtime, network, transport }: CancellationsDeps) {
  const { signal } = new AbortController();
  const waiting = new Set<string>();
  let last = Promise.resolve();

  async function cancelUpload(path: string) {
    try {
      const cancel = async () => transport().cancel?.({ file_path: path }, signal);
      await network.callWithRetry(cancel, { signal, isBackground: true });
    } catch {
      // The upload may be stored already, or the backend is older than this call.
    } finally {
      waiting.delete(path);
    }
  }

  return {
    /** @param path where a PUT has started */
    add(path: string) {
      waiting.add(path);
      last = last.then(() => cancelUpload(path));
    },

    /** Sends all cancellations now and without retries, because the page is about to end. @param paths further paths to cancel */
    sendAll(paths: string[]) {
      for (const path of new Set([...waiting, ...paths])) {
        void Promise.resolve(transport().cancel?.({ file_path: path }, signal)).catch(() => {});
      }
    },

    isRunning: () => waiting.size > 0,

    /** Resolves when the cancellations so far have returned their quota, or after two seconds. */
    settled: (uploadSignal: AbortSignal): Promise<void> =>
      Promise.race([last, wait(runtime, MAX_WAIT_MS, uploadSignal)]),
  };
}

export type Cancellations = ReturnType<typeof createCancellations>;
