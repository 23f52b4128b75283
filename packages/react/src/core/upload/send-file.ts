import type { BrowserCompleteResponse, BrowserUploadRequestBody } from "@stowage/schemas";
import type { UploadTicket } from "../transport.js";
import { UploadError } from "../upload-error.js";
import { brokenLimit } from "../upload-limits.js";
import { unlessMissing } from "./confirm-upload.js";
import { recordPut } from "./cors-warning.js";
import { putFile } from "./put-file.js";
import { looksExpired, trackExpiry } from "./ticket-expiry.js";
import type { UploadJob } from "./upload-job.js";

/** A PUT starts only if its URL is valid for at least this long. */
const MIN_VALID_MS = 30_000;

interface SentFile {
  path: string;
  /** Set when the service has confirmed the file already. */
  stored: BrowserCompleteResponse | null;
}

/**
 * Brings the bytes of a prepared file to storage, with retries.
 *
 * All attempts use the same ticket while it is valid: the same URL writes the same object, so no attempt stores the file
 * twice. Before it requests another ticket, it asks the service whether an earlier PUT has arrived after all.
 *
 * @throws {UploadError} when it gave up, or when the file breaks a limit
 */
export function sendFile(job: UploadJob, file: File): Promise<SentFile> {
  const { runtime, network, transport, signal, onEvent } = job;
  let { triedPath } = job.resume;
  let ticket: UploadTicket | null = null;
  let validMs = () => 0;
  let mayReplaceRefusedTicket = true;
  let mostSentBytes = 0;

  async function attempt(restartAttempts: () => void): Promise<SentFile> {
    await assertReadable(file);
    signal.throwIfAborted();
    if (!ticket || validMs() < MIN_VALID_MS) {
      const stored = triedPath === undefined ? null : await findStored(job, triedPath);
      if (stored) return stored;
      ticket = await requestTicket(job, requestBody(job, file));
      validMs = trackExpiry(ticket, runtime);
    }
    triedPath = ticket.file_path;
    onEvent({ type: "put-started", path: triedPath });
    try {
      await put(ticket, restartAttempts);
      return { path: triedPath, stored: null };
    } catch (cause) {
      signal.throwIfAborted();
      const isExpired = looksExpired(cause as UploadError, validMs());
      // A second refusal is not about expiry.
      if (!isExpired || !mayReplaceRefusedTicket) throw cause;
      mayReplaceRefusedTicket = false;
      ticket = null;
      onEvent({ type: "requesting", retry: null });
      return attempt(restartAttempts);
    }
  }

  async function put(ticket: UploadTicket, restartAttempts: () => void): Promise<void> {
    const onProgress = (sentBytes: number) => {
      if (sentBytes > mostSentBytes) {
        mostSentBytes = sentBytes;
        restartAttempts();
      }
      onEvent({ type: "bytes-sent", sentBytes });
    };
    try {
      const options = { signal, onProgress };
      await (transport.put?.(ticket, file, options) ?? putFile(runtime, ticket, file, options));
    } catch (cause) {
      if (!signal.aborted) {
        const isNetworkError = (cause as UploadError).code === "network_error";
        void recordPut(network, ticket, isNetworkError ? "network-error" : "other");
      }
      throw cause;
    }
    void recordPut(network, ticket, "other");
    await assertUnchanged(file);
  }

  return network.callWithRetry(attempt, {
    signal,
    onRetry: (retry) => onEvent({ type: "requesting", retry }),
  });
}

/** The call itself is not aborted: the service may have reserved quota, and only its answer tells for which path. */
function requestTicket(job: UploadJob, body: BrowserUploadRequestBody): Promise<UploadTicket> {
  const { transport, signal, onLateTicket } = job;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    transport
      .request(body, new AbortController().signal)
      .then((ticket) => (signal.aborted ? onLateTicket(ticket.file_path) : resolve(ticket)))
      .catch(reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Storage may have taken the bytes of a PUT whose answer was lost. */
async function findStored({ transport, signal }: UploadJob, path: string): Promise<SentFile | null> {
  const stored = await unlessMissing(transport.complete({ file_path: path }, signal));
  signal.throwIfAborted();
  return stored && { path, stored };
}

/**
 * Checks the limits once more, because the limits of the route may have arrived since the file was added.
 *
 * @throws {UploadError} when the file breaks a limit
 */
function requestBody(job: UploadJob, file: File): BrowserUploadRequestBody {
  const { file: original, current, idempotencyKey, onEvent } = job;
  const { name, type, size } = file;
  const usage = current.usage();
  onEvent({ type: "size-known", sizeBytes: size });
  const code = brokenLimit(file, current.limits(), usage);
  if (code) throw new UploadError(code);
  const { route, input } = current.settings();
  return {
    filename: name,
    size,
    content_type: type || undefined,
    route,
    files_before: usage.files,
    idempotency_key: idempotencyKey,
    input: typeof input === "function" ? (input as (file: File) => unknown)(original) : input,
  };
}

/** Browsers notice only when they read a file that it was changed, moved or deleted. */
async function assertReadable(file: File): Promise<void> {
  const cause = await readError(file);
  if (cause) throw new UploadError("file_unreadable", { cause });
}

/**
 * Throws when the file was changed during the PUT: storage may then have half of the old and half of the new version. A
 * file that was deleted during the PUT gives another error, and was sent as a whole.
 */
async function assertUnchanged(file: File): Promise<void> {
  const cause = await readError(file);
  if (cause?.name === "NotReadableError") throw new UploadError("file_unreadable", { cause });
}

async function readError(file: File): Promise<Error | null> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return null;
  } catch (cause) {
    return cause as Error;
  }
}
