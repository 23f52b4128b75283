import type { BrowserCompleteResponse } from "@stowage/schemas";
import { loadCode } from "../load-code.js";
import { canSendParts } from "../transport.js";
import { UploadError } from "../upload-error.js";
import { confirmUpload, unlessMissing } from "./confirm-upload.js";
import { prepareFile } from "./prepare-file.js";
import { fits, sendFile } from "./send-file.js";
import type { HeldMultipart, ResumePoint, UploadJob } from "./upload-job.js";

/** Backends want parts from this size on, unless they are set up otherwise. */
const LIKELY_PARTS_BYTES = 32 * 1024 ** 2;

/**
 * Uploads one file: prepares it, gets a ticket, brings the bytes to storage by one PUT or by parts, and asks the service to
 * confirm them.
 *
 * @returns the file as the service has recorded it
 * @throws {UploadError} when the upload failed for good
 * @throws the signal's reason when it aborts
 */
export async function runUpload(job: UploadJob): Promise<BrowserCompleteResponse> {
  const { sentPath, triedPath } = job.resume;
  if (sentPath !== undefined) {
    const stored = await unlessMissing(confirmUpload(job, sentPath));
    if (stored) return stored;
  }
  job.onEvent({ type: "preparing" });
  const file = await prepareFile(job.file, job.current.settings(), job.signal);
  // Meanwhile the backend is asked. If it cannot be loaded now, it is loaded when it is needed.
  if (canSendParts(job.transport) && file.size >= LIKELY_PARTS_BYTES) void loadEngine().catch(() => {});
  const multipart = job.resume.multipart ?? (triedPath === undefined ? await job.findOpen?.(file) : null);
  job.signal.throwIfAborted();
  if (!multipart) return upload(job, file, job.resume);
  // `transform` made something else this time.
  if (!fits(multipart, file)) job.onUnusedTicket(multipart.ticket.file_path);
  const stored = fits(multipart, file) ? await uploadParts(job, file, multipart, false) : null;
  return stored ?? upload(withAnotherKey(job), file, {});
}

/** The service answers the same upload for the same key as long as it exists, even if it is complete. */
function withAnotherKey(job: UploadJob): UploadJob {
  return { ...job, idempotencyKey: `${job.idempotencyKey}-another` };
}

/** @throws {UploadError} upload_expired when the upload ends while its parts are sent */
async function upload(
  job: UploadJob,
  file: File,
  resume: Pick<ResumePoint, "triedPath" | "ticket">,
): Promise<BrowserCompleteResponse> {
  const sent = await sendFile(job, file, resume);
  job.signal.throwIfAborted();
  if ("multipart" in sent) {
    const stored = await uploadParts(job, file, sent.multipart, true);
    if (stored) return stored;
    throw new UploadError("upload_expired", { status: 409 });
  }
  job.onEvent({ type: "bytes-stored", path: sent.path });
  return sent.stored ?? confirmUpload(job, sent.path);
}

/**
 * Loads the code for parts with the first file that needs it.
 *
 * @param isNew whether this run has opened the upload, so that storage has none of its parts
 * @returns null if the upload is not open any more
 */
async function uploadParts(
  job: UploadJob,
  file: File,
  held: HeldMultipart,
  isNew: boolean,
): Promise<BrowserCompleteResponse | null> {
  const { network, signal, onEvent } = job;
  const sent = held.sent?.file === file ? held.sent : { file, numbers: new Set<number>() };
  const multipart = { ...held, sent };
  // Reported before the first call: if a person cancels the file now, this upload must be cancelled.
  onEvent({ type: "parts-started", multipart });
  const { uploadByParts } = await network.callWithRetry(loadEngine, {
    signal,
    onRetry: (retry) => retry && onEvent({ type: "requesting", retry }),
  });
  return uploadByParts(job, multipart, isNew);
}

async function loadEngine() {
  try {
    return await loadCode(() => import("./parts/upload-by-parts.js"), "parts");
  } catch (cause) {
    throw new UploadError("network_error", { cause });
  }
}
