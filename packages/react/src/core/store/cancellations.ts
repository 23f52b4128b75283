import type { Network } from "../network/network.js";
import type { UploadTransport } from "../transport.js";

interface CancellationsDeps {
  network: Pick<Network, "callWithRetry">;
  transport(): UploadTransport;
}

/**
 * Tells the backend which uploads were given up, one after the other, so that they no longer reserve quota. Nothing waits for
 * this, and a failure changes nothing: the reservation then ends when the upload URL expires.
 */
export function createCancellations({ network, transport }: CancellationsDeps) {
  const { signal } = new AbortController();
  let last = Promise.resolve();

  async function cancelUpload(path: string) {
    try {
      const cancel = async () => transport().cancel?.({ file_path: path }, signal);
      await network.callWithRetry(cancel, { signal, isBackground: true });
    } catch {
      // The upload may be stored already, or the backend is older than this call.
    }
  }

  return {
    /** @param path where a PUT has started */
    add(path: string) {
      last = last.then(() => cancelUpload(path));
    },
  };
}

export type Cancellations = ReturnType<typeof createCancellations>;
