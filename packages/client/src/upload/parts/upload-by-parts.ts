import type { BrowserCompleteResponse } from "@stowage/schemas";
import type { UploadError, UploadErrorCode } from "../../upload-error.js";
import { confirmUpload } from "../confirm-upload.js";
import type { OwnMultipart, UploadJob } from "../upload-job.js";
import { sendParts } from "./send-parts.js";

/** Storage may lose parts, or the whole upload, between the last part and the completion. */
const MAX_ROUNDS = 3;

/**
 * Sends the parts of an open upload that storage does not have, and completes the upload. If parts are missing
 * then, it lists the stored parts and sends the others.
 *
 * @param isNew whether storage has no part yet
 * @returns the file as the service has recorded it; null if the file needs another upload: this one was cancelled, has expired,
 *   or has all parts of another file
 * @throws {UploadError} when the upload failed for good. The parts in storage stay there
 */
export async function uploadByParts(
  job: UploadJob,
  multipart: OwnMultipart,
  isNew: boolean,
): Promise<BrowserCompleteResponse | null> {
  const path = multipart.ticket.file_path;
  for (let round = 1; ; round++) {
    try {
      await sendParts(job, multipart, isNew && round === 1);
      job.onEvent({ type: "bytes-stored", path });
      return await confirmUpload(job, path);
    } catch (cause) {
      job.signal.throwIfAborted();
      const error = cause as UploadError;
      if (NEEDS_ANOTHER_UPLOAD.has(error.code)) return null;
      if (error.code !== "upload_incomplete" || round === MAX_ROUNDS) throw cause;
      job.onEvent({ type: "parts-started", multipart });
    }
  }
}

/** Storage is not asked: it answers 404 for an upload that is complete, too. */
const NEEDS_ANOTHER_UPLOAD: ReadonlySet<UploadErrorCode> = new Set([
  "file_not_found",
  "upload_expired",
  "different_file",
]);

export const codeName = "parts";
