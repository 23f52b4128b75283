import type { Network } from "../network/network.js";
import type { Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import { isActive } from "../upload-item.js";
import type { FileCollection } from "./file-collection.js";
import { unfinishedPath } from "./file-state.js";

interface DiscardDeps {
  runtime: Pick<Runtime, "withLock" | "markedPaths">;
  network: Pick<Network, "callWithRetry">;
  transport(): UploadTransport;
  files: Pick<FileCollection, "all">;
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
      const except = [...new Set([...runningPaths(files), ...(await runtime.markedPaths())])];
      await transport().discard?.({ except: except.slice(0, MAX_KEPT) }, signal);
    });
  await network.callWithRetry(discard, { signal, isBackground: true });
}

/** Bytes that uploads of this list reserve while they run. */
export function runningBytes(files: Pick<FileCollection, "all">): number {
  let bytes = 0;
  for (const file of files.all()) {
    if (isActive(file.item) && unfinishedPath(file) !== undefined) bytes += file.item.size;
  }
  return bytes;
}

function runningPaths(files: Pick<FileCollection, "all">): string[] {
  return [...files.all()].flatMap((file) => (isActive(file.item) ? (unfinishedPath(file) ?? []) : []));
}
