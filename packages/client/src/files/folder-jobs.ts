import type { BrowserJob } from "@stowage/schemas";
import { type Runtime, wait } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import { UploadError } from "../upload-error.js";
import { required } from "./file-links.js";

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/** A move of a folder to another name, or its delete. */
export interface FolderChange {
  folder: string;
  /** The new name; null deletes the folder. */
  to: string | null;
}

/**
 * Starts a job of the service, and asks how far it is until it has ended. Without a connection it goes on asking: the job runs on.
 *
 * @param onProgress called with each answer, also with the last one
 * @throws {UploadError} why the job was not started, or cannot be read; the signal's reason
 */
export async function runFolderJob(
  { transport, runtime, signal }: { transport: UploadTransport; runtime: Runtime; signal: AbortSignal },
  { folder, to }: FolderChange,
  onProgress: (job: BrowserJob) => void,
): Promise<void> {
  const read = required(transport.job, "folder_job_refused");
  const started =
    to === null
      ? await required(transport.deleteFolder, "folder_job_refused").call(transport, { folder }, signal)
      : await required(transport.moveFolder, "folder_job_refused").call(
          transport,
          { from: folder, to },
          signal,
        );
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      const job = await read.call(transport, started, signal);
      onProgress(job);
      if (job.state === "done") return;
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error)) throw error;
    }
    await wait(runtime, pauseMs, signal);
  }
}

/** Whether a later answer may be another one. */
const isTransient = (error: unknown) =>
  error instanceof UploadError && (error.status === 0 || error.status === 429 || error.status >= 500);
