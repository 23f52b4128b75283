import { acceptTokens } from "./accepts.js";
import { formatBytes } from "./format.js";
import type { UploadErrorCode } from "./upload-error.js";
import type { UploadLimits } from "./validate-file.js";

/** What a message may speak of. */
export interface MessageContext {
  name: string;
  /** Bytes. */
  size: number;
  limits: UploadLimits;
  /** HTTP status; 0 when there was no answer. */
  status: number;
  /** The sentence of the backend, if it sent one. */
  detail: string | undefined;
  /** Of numbers, as in BCP 47. */
  locale: string;
}

export type ErrorMessage = string | ((context: MessageContext) => string);
export type ErrorMessages = Record<UploadErrorCode, ErrorMessage>;

const TRY_AGAIN_LATER = "The service is not available right now. Try again in a moment.";
const REFUSED = "The upload was refused. Try again, or choose another file.";

const orDetail = (fallback: string) => (context: MessageContext) => context.detail ?? fallback;

/** A sentence for each failure: what happened, and what to do next. */
export const englishErrors: ErrorMessages = {
  file_type_not_accepted: ({ limits }) =>
    `This type of file is not accepted. Choose ${acceptTokens(limits.accept).join(", ")}.`,
  file_too_large: ({ limits, locale }) =>
    limits.maxSize === undefined
      ? "This file is too large. Choose a smaller one."
      : `This file is larger than ${formatBytes(limits.maxSize, locale)}. Choose a smaller one.`,
  file_too_small: ({ limits, locale }) =>
    `This file is smaller than ${formatBytes(limits.minSize ?? 1, locale)}. Choose a larger one.`,
  too_many_files: ({ limits }) =>
    limits.maxFiles === 1
      ? "Only one file can be uploaded. Remove the other one first."
      : `Only ${limits.maxFiles} files can be uploaded. Remove another one first.`,
  file_unreadable: "This file was changed, moved or deleted. Choose it again.",
  network_error: "The connection was lost. Check it and try again.",
  timed_out: "The upload stopped moving. Check the connection and try again.",
  storage_refused: "Storage refused this file. Try again.",
  storage_unavailable: "Storage is not available right now. Try again in a moment.",
  request_refused: orDetail(REFUSED),
  unexpected_answer: "The server gave an unexpected answer. Try again, or tell its operator.",
  unauthorized: "You are signed out. Sign in and try again.",
  quota_exceeded: "There is not enough storage left. Delete some files and try again.",
  too_many_requests: "Too many uploads at once. Try again in a moment.",
  upload_not_found: "The file did not arrive in storage. Try again.",
  file_not_found: "The file did not arrive in storage. Try again.",
  invalid_request: orDetail(REFUSED),
  filename_required: "This file has no name. Give it one and choose it again.",
  cross_site: "Uploads from this page are not allowed.",
  internal_error: TRY_AGAIN_LATER,
  unavailable: TRY_AGAIN_LATER,
  // Not for people to mend: the page and its backend speak past each other.
  invalid_json: REFUSED,
  tenant_id_required: REFUSED,
  size_required: REFUSED,
  not_found: REFUSED,
  body_too_large: REFUSED,
  unsupported_media_type: REFUSED,
};

/** The message for a code; an unknown one (of a newer backend) is told in the backend's own words. */
export function errorMessage(
  code: UploadErrorCode,
  context: MessageContext,
  overrides: Partial<ErrorMessages> = {},
): string {
  const message = overrides[code] ?? englishErrors[code] ?? englishErrors.request_refused;
  return typeof message === "string" ? message : message(context);
}
