import type { BrowserCompleteResponse } from "@stowage/schemas";
import type { UploadError } from "../upload-error.js";
import type { UploadJob } from "./upload-job.js";

/** Asks the service to check the bytes in storage and to record the file, with retries. */
export function confirmUpload(
  { network, transport, signal, onEvent }: UploadJob,
  path: string,
): Promise<BrowserCompleteResponse> {
  return network.callWithRetry(() => transport.complete({ file_path: path }, signal), {
    signal,
    onRetry: (retry) => onEvent({ type: "confirming", retry }),
  });
}

/**
 * Resolves to null when the service finds no bytes at the path: they never arrived, or the upload has expired. The bytes
 * must then be sent again.
 */
export async function unlessMissing(
  confirmed: Promise<BrowserCompleteResponse>,
): Promise<BrowserCompleteResponse | null> {
  try {
    return await confirmed;
  } catch (cause) {
    const { code, status } = cause as UploadError;
    const isMissing = code === "upload_not_found" || (status === 404 && code !== "unexpected_answer");
    if (isMissing) return null;
    throw cause;
  }
}
