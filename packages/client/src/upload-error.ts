import type { ErrorCode } from "@stowage/schemas";

/** Failures that happen in the browser, without a code from the customer's backend. */
export type ClientErrorCode =
  | "file_unreadable"
  | "file_not_saved"
  | "file_refused"
  | "validation_failed"
  | "transform_failed"
  | "duplicate_file"
  | "different_file"
  | "total_size_exceeded"
  | "network_error"
  | "server_unreachable"
  | "storage_unreachable"
  | "local_network_denied"
  | "timed_out"
  | "storage_refused"
  | "storage_unavailable"
  | "request_refused"
  | "unexpected_answer";

/** The codes of the error catalogue, which the backend answers, and the codes of the browser. */
export type UploadErrorCode = ErrorCode | ClientErrorCode;

/** What is known about a failure in addition to its code. */
export interface UploadErrorDetails {
  /** HTTP status; 0 when there was no answer. */
  status?: number;
  /** The message in the backend's answer. */
  detail?: string | undefined;
  retryAfterMs?: number | undefined;
  /** Only with `quota_exceeded`: bytes that the user's open uploads reserve, if the file would fit without them. */
  reservedBytes?: number | undefined;
  cause?: unknown;
}

/** An expected failure of one step of an upload. Transports throw it. */
export class UploadError extends Error {
  declare readonly code: UploadErrorCode;
  declare readonly status: number;
  declare readonly detail: string | undefined;
  declare readonly retryAfterMs: number | undefined;
  declare readonly reservedBytes: number | undefined;

  constructor(code: UploadErrorCode, details: UploadErrorDetails = {}) {
    super(details.detail ?? code);
    Object.assign(this, { name: "UploadError", code, status: 0 }, details);
  }
}

/** The file itself is the problem, so the same file would be refused again. */
const FILE_ERRORS: ReadonlySet<UploadErrorCode> = new Set([
  "different_file",
  "duplicate_file",
  "file_not_saved",
  "file_refused",
  "file_too_large",
  "file_too_small",
  "file_type_not_accepted",
  "file_unreadable",
  "filename_required",
  "image_unreadable",
  "invalid_request",
]);

/** Tells whether a person may usefully retry the same file. */
export function canRetryByHand(code: UploadErrorCode): boolean {
  return !FILE_ERRORS.has(code);
}
