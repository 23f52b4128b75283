import type { BrowserCompleteResponse } from "@stowage/schemas";
import { confirmUpload, unlessMissing } from "./confirm-upload.js";
import { prepareFile } from "./prepare-file.js";
import { sendFile } from "./send-file.js";
import type { UploadJob } from "./upload-job.js";

/**
 * Uploads one file: prepares it, gets a ticket, PUTs the bytes to storage, and asks the service to confirm them.
 *
 * @returns the file as the service has recorded it
 * @throws {UploadError} when the upload failed for good
 * @throws the signal's reason when it aborts
 */
export async function runUpload(job: UploadJob): Promise<BrowserCompleteResponse> {
  const { sentPath } = job.resume;
  if (sentPath !== undefined) {
    const stored = await unlessMissing(confirmUpload(job, sentPath));
    if (stored) return stored;
  }
  job.onEvent({ type: "preparing" });
  const file = await prepareFile(job.file, job.current.settings(), job.signal);
  const { path, stored } = await sendFile(job, file);
  job.signal.throwIfAborted();
  job.onEvent({ type: "bytes-stored", path });
  return stored ?? confirmUpload(job, path);
}
