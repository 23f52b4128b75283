import { type Accept, mayAccept, type RuledFile } from "@stowage/schemas/page-rules";
import { loadCode } from "../load-code.js";
import { UploadError } from "../upload-error.js";
import { type FileEvent, type FileState, relativePathOf } from "./file-state.js";
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
    preload: async () => void (await load().catch(() => {})),
    /** Whether a file is left out. Undefined where only the loaded code can tell. */
    isSystemFile(file: File): boolean | undefined {
      const path = relativePathOf(file) || file.name;
      return MAY_BE_SYSTEM_FILE.test(path) && uploads?.isSystemPath(path);
    },
    upload: (file: FileState, signal: AbortSignal): Promise<FileEvent> =>
      uploads ? uploads.upload(file, signal) : uploadWhenLoaded(file, signal),
    /** Whether a file matches `accept`. Where only the loaded code can tell, the answer is true before, and the file is checked again later. */
    accepts: (accept: Accept | undefined, file: RuledFile) => (uploads?.accepts ?? mayAccept)(accept, file),
    /** The loaded code. Before, no upload has a speed, and there is nothing to cancel or to delete. */
    loaded: () => uploads,
  };
}

export type UploadsOnDemand = ReturnType<typeof createUploadsOnDemand>;

/** Matches more paths than `isSystemPath`, with less code. */
export const MAY_BE_SYSTEM_FILE =
  /(^|\/)[^a-z\d]|[:\r\uf00d]|(older|tion|found|load)\/|\.(db|ini|sys|idlk|dwl2?|part|[\w-]{5,})$/i;
