import type { File as StoredFile } from "@stowage/schemas";
import { putFile } from "./put-file.js";
import { isTransient, retryDelayMs } from "./retry-policy.js";
import { type Runtime, wait } from "./runtime.js";
import type { UploadTransport } from "./transport.js";
import { UploadError } from "./upload-error.js";

export interface UploadSteps {
  onRequesting(retry: PendingRetry | null): void;
  onUploading(sentBytes: number): void;
  /** Storage has taken the bytes. From here on the path is enough to finish. */
  onConfirming(filePath: string, retry: PendingRetry | null): void;
}

export interface PendingRetry {
  /** The try that comes next, from 2. */
  attempt: number;
  delayMs: number;
  error: UploadError;
}

interface UploadDeps {
  runtime: Runtime;
  transport: UploadTransport;
}

interface UploadJob extends UploadSteps {
  file: File;
  signal: AbortSignal;
  /** Where the bytes already are, if an earlier run got that far. */
  sentPath: string | null;
}

/**
 * Brings one file from the disk to the service's record: asks for a URL, PUTs the bytes, has the service look.
 * Tries again by itself where that may help, each time with a fresh URL.
 *
 * @throws {UploadError} when it gave up
 * @throws the signal's reason when it aborts
 */
export async function runUpload(deps: UploadDeps, job: UploadJob): Promise<StoredFile> {
  if (job.sentPath !== null) {
    try {
      return await confirm(deps, job, job.sentPath);
    } catch (error) {
      // The bytes are gone again (the URL lapsed before anyone looked): send them once more.
      if (!isNotThereYet(error) && !(error instanceof UploadError && error.status === 404)) throw error;
    }
  }
  return confirm(deps, job, await send(deps, job));
}

async function send({ runtime, transport }: UploadDeps, job: UploadJob): Promise<string> {
  const { file, signal } = job;
  let mayAskAgain = true;
  let retry: PendingRetry | null = null;
  for (let attempt = 1; ;) {
    try {
      job.onRequesting(retry);
      if (retry) {
        await wait(runtime, retry.delayMs, signal);
        job.onRequesting(null);
      }
      await assertReadable(file);
      const ticket = await transport.request(requestBody(file), signal);
      job.onUploading(0);
      try {
        await putFile(runtime, {
          url: ticket.presigned_url,
          headers: ticket.headers,
          file,
          signal,
          onProgress: job.onUploading,
        });
      } catch (error) {
        if (!mayAskAgain || !(error instanceof UploadError) || error.status !== 403) throw error;
        // The URL may have lapsed on a slow way here; a second refusal is meant.
        mayAskAgain = false;
        retry = null;
        continue;
      }
      return ticket.file_path;
    } catch (error) {
      signal.throwIfAborted();
      // A file that changed on disk fails as if the network did, and would do so every time.
      if (isTransient(error)) await assertReadable(file);
      retry = nextTry(error, attempt, runtime);
      attempt++;
    }
  }
}

async function confirm(
  { runtime, transport }: UploadDeps,
  job: UploadJob,
  path: string,
): Promise<StoredFile> {
  let retry: PendingRetry | null = null;
  for (let attempt = 1; ; attempt++) {
    try {
      job.onConfirming(path, retry);
      if (retry) await wait(runtime, retry.delayMs, job.signal);
      return await transport.complete(path, job.signal);
    } catch (error) {
      job.signal.throwIfAborted();
      retry = nextTry(error, attempt, runtime, isNotThereYet(error));
    }
  }
}

/** @throws the error itself when it is final */
function nextTry(error: unknown, attempt: number, runtime: Runtime, mayPass = false): PendingRetry {
  if (!(error instanceof UploadError) || !(mayPass || isTransient(error))) throw error;
  const delayMs = retryDelayMs(attempt, error.retryAfterMs, runtime.random());
  if (delayMs === null) throw error;
  return { attempt: attempt + 1, delayMs, error };
}

// Some stores show an object a moment after they took it.
function isNotThereYet(error: unknown): boolean {
  return error instanceof UploadError && error.code === "upload_not_found";
}

function requestBody(file: File) {
  const { name, type, size } = file;
  return type === "" ? { filename: name, size } : { filename: name, content_type: type, size };
}

/** A browser notices that a file was changed, moved or deleted when it is read, and not before. */
async function assertReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new UploadError("file_unreadable", { cause });
  }
}
