import type { ErrorCode } from "@stowage/schemas";

/** What can go wrong before, or without, an answer of the customer's backend. */
export type ClientErrorCode =
  | "file_unreadable"
  | "file_refused"
  | "validation_failed"
  | "transform_failed"
  | "duplicate_file"
  | "total_size_exceeded"
  | "network_error"
  | "timed_out"
  | "storage_refused"
  | "storage_unavailable"
  | "request_refused"
  | "unexpected_answer";

/** The catalogue's codes, as the backend answers them, and those that only a browser can find. */
export type UploadErrorCode = ErrorCode | ClientErrorCode;

export interface UploadErrorDetails {
  /** HTTP status; 0 when there was no answer. */
  status?: number;
  /** The sentence that came with the answer. */
  detail?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** One step of an upload failed in a way that was foreseen. What a transport throws. */
export class UploadError extends Error {
  declare readonly code: UploadErrorCode;
  declare readonly status: number;
  declare readonly detail: string | undefined;
  declare readonly retryAfterMs: number | undefined;

  constructor(code: UploadErrorCode, details: UploadErrorDetails = {}) {
    super(details.detail ?? code);
    Object.assign(this, { name: "UploadError", code, status: 0 }, details);
  }
}

/** Whether a person may usefully try the same file again: not where the file itself is what is wrong. */
export function canRetryByHand(code: UploadErrorCode): boolean {
  return !/^(file_(?!not)|filename|dupl|invalid_req)/.test(code);
}
