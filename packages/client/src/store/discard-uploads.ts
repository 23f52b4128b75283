import type { Network } from "../network/network.js";
import type { Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import type { FileCollection } from "./file-collection.js";

interface DiscardDeps {
  runtime: Pick<Runtime, "withLock" | "markedPaths">;
  network: Pick<Network, "callWithRetry">;
  transport(): UploadTransport;
  files: Pick<FileCollection, "reserving">;
}

/** The helper accepts no more. */
const MAX_KEPT = 200;

/**
 * Ends the unfinished uploads of the user that nothing continues, so that they no longer hold quota. Uploads that run in this
 * browser are kept. Uploads that run on other devices look like unfinished ones.
 */
export async function discardUnfinishedUploads(
  { runtime, network, transport, files }: DiscardDeps,
  signal: AbortSignal,
): Promise<void> {
  const discard = () =>
    // While this lock is held, no page of this browser opens an upload whose path it could not mark in time. It is held for one
    // attempt, because new uploads of all pages wait for it.
    runtime.withLock("exclusive", signal, async () => {
      const except = [
        ...new Set([...files.reserving().map(({ path }) => path), ...(await runtime.markedPaths())]),
      ];
      await transport().discard?.({ except: except.slice(0, MAX_KEPT) }, signal);
    });
  await network.callWithRetry(discard, { signal, isBackground: true });
}
