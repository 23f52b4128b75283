import type { ErrorCode } from "@stowage/schemas";

/** What can go wrong before, or without, an answer of the customer's backend. */
export type ClientErrorCode =
  | "file_type_not_accepted"
  | "file_too_small"
  | "too_many_files"
  | "file_unreadable"
  | "network_error"
  | "timed_out"
  | "storage_refused"
  | "storage_unavailable"
  | "request_refused"
  | "unexpected_answer";

/** The catalogue's codes, as the backend answers them, and those that only a browser can find. */
export type UploadErrorCode = ErrorCode | ClientErrorCode;

interface UploadErrorDetails {
  /** HTTP status; 0 when there was no answer. */
  status?: number;
  /** The sentence that came with the answer. */
  detail?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** One step of an upload failed in a way that was foreseen. */
export class UploadError extends Error {
  override readonly name = "UploadError";
  readonly code: UploadErrorCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: UploadErrorCode, details: UploadErrorDetails = {}) {
    super(details.detail ?? code, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? 0;
    this.detail = details.detail;
    this.retryAfterMs = details.retryAfterMs;
  }
}

// The same file would be refused again: only another file helps.
const FINAL_CODES: ReadonlySet<UploadErrorCode> = new Set([
  "file_type_not_accepted",
  "file_too_large",
  "file_too_small",
  "too_many_files",
  "file_unreadable",
  "filename_required",
  "invalid_request",
]);

/** Whether a person may usefully try the same file again. */
export function canRetryByHand(code: UploadErrorCode): boolean {
  return !FINAL_CODES.has(code);
}
