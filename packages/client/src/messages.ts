import { formatBytes } from "@stowage/schemas/page-rules";
import { englishKinds, kindsOf } from "./kinds.js";
import { canRetryByHand, UploadError, type UploadErrorCode } from "./upload-error.js";
import type { UploadFailure, UploadItem } from "./upload-item.js";
import type { UploadLimits } from "./upload-limits.js";

/** What a message may contain. */
export interface MessageContext {
  name: string;
  /** Bytes. */
  size: number;
  limits: UploadLimits;
  /** HTTP status; 0 when there was no answer. */
  status: number;
  /** The message of the backend, if it sent one. */
  detail: string | undefined;
  /** Only with `quota_exceeded`: what unfinished uploads hold, if the file would fit without them. */
  heldBytes?: number | undefined;
  /** Language of the numbers (BCP 47). */
  locale: string;
}

/** A message, or a function that writes it from what is known about the failure. */
export type ErrorMessage = string | ((context: MessageContext) => string);
/** A message for each error code. */
export type ErrorMessages = Record<UploadErrorCode, ErrorMessage>;

const REFUSED = "The upload was refused. Try again, or choose another file.";
const atMost = (limit: string) => `You can upload at most ${limit}. Remove another file first.`;

/**
 * The messages of failures that a person can act on: what happened, and what to do next. These can happen in the first view, by a limit or
 * by code that cannot be loaded. The others are in `upload-messages.ts`.
 */
export const firstErrors = {
  file_type_not_accepted: ({ limits }) =>
    `This type of file is not accepted. Choose ${kindsOf(limits.accept, englishKinds).join(" or ") || "another"}.`,
  file_too_large: ({ limits, locale }) =>
    `This file is ${limits.maxSize === undefined ? "too large" : `larger than ${formatBytes(limits.maxSize, locale)}`}. Choose a smaller one.`,
  file_too_small: ({ limits, locale }) =>
    `This file is smaller than ${formatBytes(limits.minSize ?? 1, locale)}. Choose a larger one.`,
  too_many_files: ({ limits }) => atMost(limits.maxFiles === 1 ? "1 file" : `${limits.maxFiles} files`),
  total_size_exceeded: ({ limits, locale }) => atMost(formatBytes(limits.maxTotalSize ?? 0, locale)),
  duplicate_file: "This file is already in the list.",
  network_error: "The connection was lost. Check it and try again.",
  server_unreachable: "The server cannot be reached. Check your connection, or try again later.",
} satisfies Partial<ErrorMessages>;

/**
 * Returns the message of a code. A code without a message has the page's own message of a refused request, which then contains nothing
 * of the backend, because the backend writes English. Without that, it has the message of the backend, if it sent one.
 */
export function errorMessage(
  code: UploadErrorCode,
  context: MessageContext,
  messages: Partial<ErrorMessages>,
): string {
  const own = messages[code];
  const message = own ?? messages.request_refused ?? context.detail ?? REFUSED;
  try {
    return typeof message === "string" ? message : message(own ? context : { ...context, detail: undefined });
  } catch {
    // A mistake of the page, such as a wrong locale, must not keep the file from ending.
    return REFUSED;
  }
}

/** Turns a thrown value into a failure with a message. A value that is not an `UploadError` becomes `unexpected_answer`. */
export function toFailure(
  cause: unknown,
  { name, size }: Pick<UploadItem, "name" | "size">,
  limits: UploadLimits,
  settings: { locale?: string | undefined; errorMessages?: Partial<ErrorMessages> | undefined },
  furtherErrors: Partial<ErrorMessages> = {},
  /** Bytes that the uploads of this list reserve while they run. */
  runningBytes = 0,
): UploadFailure {
  const error = cause instanceof UploadError ? cause : new UploadError("unexpected_answer", { cause });
  const { code, status, detail, reservedBytes = 0 } = error;
  const { locale = "en", errorMessages } = settings;
  const heldBytes = reservedBytes > runningBytes ? reservedBytes - runningBytes : undefined;
  // The service has a limit of its own, which the page does not know.
  const isBelowLimit = code === "file_too_large" && size <= (limits.maxSize ?? Infinity);
  const named = isBelowLimit ? { ...limits, maxSize: undefined } : limits;
  const context = { name, size, limits: named, status, detail, heldBytes, locale };
  return {
    code,
    message: errorMessage(code, context, { ...firstErrors, ...furtherErrors, ...errorMessages }),
    status,
    canRetry: canRetryByHand(code),
    ...(heldBytes !== undefined && { heldBytes }),
  };
}

/** Makes the failure of a file of one list. @param furtherErrors the messages that the caller knows besides `firstErrors` */
export type FailureOf = (
  cause: unknown,
  item: Pick<UploadItem, "name" | "size"> & { id?: string },
  furtherErrors?: Partial<ErrorMessages>,
  runningBytes?: number,
) => UploadFailure;
