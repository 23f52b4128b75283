import type { BrowserCompleteResponse } from "@stowage/schemas";
import type { UploadError } from "../../upload-error.js";
import { confirmUpload } from "../confirm-upload.js";
import type { OwnMultipart, UploadJob } from "../upload-job.js";
import { sendParts } from "./send-parts.js";

/** Storage may lose parts, or the whole upload, between the last part and the completion. */
const MAX_ROUNDS = 3;

/**
 * Sends the parts of an open upload that storage does not have, and completes the upload. When parts are missing then, it
 * lists what storage has and sends the others.
 *
 * @param isNew whether storage has no part yet
 * @returns the file as the service has recorded it; null if the upload was cancelled or has expired
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
      if (isGone(error)) return null;
      if (error.code !== "upload_incomplete" || round === MAX_ROUNDS) throw cause;
      job.onEvent({ type: "parts-started", multipart });
    }
  }
}

/** Only the service knows: storage answers 404 for an upload that is complete, too. */
function isGone({ code }: UploadError): boolean {
  return code === "file_not_found" || code === "upload_expired";
}
