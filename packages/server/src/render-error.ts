import type { BrowserErrorBody, StowageError } from "@stowage/schemas";
import type { Answer } from "./answer.js";

const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** An error as the browser sees it: the catalogue's status, sentence and code, and nothing of its cause. */
export function renderError(error: StowageError): Answer {
  const body: BrowserErrorBody = { ...error.toBody(), code: error.code };
  const retryAfter = retryAfterSecondsOf(error);
  return renderJson(error.status, body, retryAfter === undefined ? {} : { "Retry-After": `${retryAfter}` });
}

/** When the same call may be made again, where waiting helps. */
export function retryAfterSecondsOf({ code, retryAfterSeconds }: StowageError): number | undefined {
  return retryAfterSeconds ?? (code === "unavailable" ? DEFAULT_RETRY_AFTER_SECONDS : undefined);
}

/** Never kept by a cache: an answer may hold a presigned URL, which is as good as a password for an hour. */
export function renderJson(status: number, body: object, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
    body: JSON.stringify(body),
  };
}
