import { type Accept, mayAccept, type RuledFile } from "@stowage/schemas/page-rules";
import { loadCode } from "../load-code.js";
import { UploadError } from "../upload-error.js";
import type { FileEvent, FileState } from "./file-state.js";
import type { Uploads, UploadsDeps } from "./uploads.js";

/**
 * Uploads files with code that no page needs before its first file. A file waits for this code as it waits for a backend that does not
 * answer: it tries again after pauses, waits while the browser is offline, and fails in the end, so that a person can retry it.
 */
export function createUploadsOnDemand(deps: UploadsDeps, importCode = () => import("./uploads.js")) {
  const { network, files, failureOf } = deps;
  let uploads: Uploads | undefined;

  async function load(): Promise<Uploads> {
    try {
      const { createUploads } = await loadCode(importCode, "uploads");
      return (uploads ??= createUploads(deps));
    } catch (cause) {
      throw new UploadError("network_error", { cause });
    }
  }

  async function uploadWhenLoaded(file: FileState, signal: AbortSignal): Promise<FileEvent> {
    const { item } = file;
    files.dispatch(item.id, { type: "preparing" });
    try {
      const { upload } = await network.callWithRetry(load, {
        signal,
        onRetry: (retry) =>
          retry &&
          files.dispatch(item.id, {
            type: "requesting",
            retry: { ...retry, failure: failureOf(retry.error, item) },
          }),
      });
      return await upload(file, signal);
    } catch (cause) {
      return { type: "failed", failure: failureOf(cause, item) };
    }
  }

  return {
    /** Loads the code. If it cannot be loaded now, the first file loads it. */
    preload() {
      load().catch(() => {});
    },
    upload: (file: FileState, signal: AbortSignal): Promise<FileEvent> =>
      uploads ? uploads.upload(file, signal) : uploadWhenLoaded(file, signal),
    /** Whether a file matches `accept`. Where only the loaded code can tell, the answer is true before, and the file is checked again later. */
    accepts: (accept: Accept | undefined, file: RuledFile) => (uploads?.accepts ?? mayAccept)(accept, file),
    bytesPerSecond: () => uploads?.bytesPerSecond() ?? null,
    // Only a file that was uploaded can be deleted, so the code is there.
    deleteFile: (id: string, path: string) => uploads?.deletions.add(id, path),
    abortDeletions: () => uploads?.deletions.abort(),
  };
}

export type UploadsOnDemand = ReturnType<typeof createUploadsOnDemand>;
