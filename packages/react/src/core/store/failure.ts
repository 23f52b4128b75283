import { errorMessage } from "../messages.js";
import { canRetryByHand, UploadError } from "../upload-error.js";
import type { UploadFailure, UploadItem } from "../upload-item.js";
import type { UploadLimits } from "../upload-limits.js";
import type { UploadSettings } from "../upload-settings.js";

/** Turns what was thrown into a failure with a message for people. Unexpected errors become `unexpected_answer`. */
export function toFailure(
  cause: unknown,
  { name, size }: UploadItem,
  limits: UploadLimits,
  { locale = "en", errorMessages }: Pick<UploadSettings, "locale" | "errorMessages">,
): UploadFailure {
  const error = cause instanceof UploadError ? cause : new UploadError("unexpected_answer", { cause });
  const { code, status, detail } = error;
  return {
    code,
    message: errorMessage(code, { name, size, limits, status, detail, locale }, errorMessages),
    status,
    canRetry: canRetryByHand(code),
  };
}
