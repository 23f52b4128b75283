import type { BrowserCompleteResponse } from "@stowage/schemas";
import type { UploadError, UploadErrorCode } from "../upload-error.js";
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
 * Resolves to null when the service finds no bytes at the path, or not all parts: they never arrived, or the upload has
 * expired. The bytes must then be sent again.
 */
export async function unlessMissing(
  confirmed: Promise<BrowserCompleteResponse>,
): Promise<BrowserCompleteResponse | null> {
  try {
    return await confirmed;
  } catch (cause) {
    const { code, status } = cause as UploadError;
    const isMissing = status === 404 && code !== "unexpected_answer";
    if (isMissing || MISSING_CODES.has(code)) return null;
    throw cause;
  }
}

const MISSING_CODES: ReadonlySet<UploadErrorCode> = new Set([
  "upload_not_found",
  "upload_incomplete",
  "upload_expired",
]);
