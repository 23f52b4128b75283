import type { Network } from "../network/network.js";
import type { UploadTransport } from "../transport.js";
import { UploadError } from "../upload-error.js";
import type { UploadFailure, UploadItem } from "../upload-item.js";
import type { FileCollection } from "./file-collection.js";

interface DeletionsDeps {
  files: Pick<FileCollection, "get" | "dispatch" | "remove">;
  network: Pick<Network, "callWithRetry">;
  transport(): UploadTransport;
  failureOf(cause: unknown, item: UploadItem): UploadFailure;
  /** Called when a file has been deleted. */
  onDeleted(path: string): void;
}

/** Deletes stored files on the server, one after the other: a thousand concurrent calls would be refused. */
export function createDeletions({ files, network, transport, failureOf, onDeleted }: DeletionsDeps) {
  let last = Promise.resolve();
  let session = new AbortController();

  async function deleteFile(id: string, path: string, signal: AbortSignal) {
    try {
      await network.callWithRetry(() => callDelete(path, signal), { signal, isBackground: true });
    } catch (cause) {
      const item = files.get(id)?.item;
      if (signal.aborted || !item) return;
      const failure = failureOf(cause, item);
      // A file that is already gone counts as deleted.
      if (failure.code !== "file_not_found") {
        files.dispatch(id, { type: "delete-failed", failure });
        return;
      }
    }
    if (signal.aborted) return;
    files.remove(id);
    onDeleted(path);
  }

  async function callDelete(path: string, signal: AbortSignal) {
    const port = transport();
    if (!port.delete) throw new UploadError("delete_refused");
    await port.delete({ file_path: path }, signal);
  }

  return {
    /** @param path where the file is in storage */
    add(id: string, path: string) {
      const { signal } = session;
      files.dispatch(id, { type: "delete-started" });
      last = last.then(() => deleteFile(id, path, signal));
    },
    /** Aborts all deletions. What the server has deleted already stays deleted. */
    abort() {
      session.abort();
      session = new AbortController();
    },
  };
}
