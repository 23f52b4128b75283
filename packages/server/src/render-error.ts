import type { ErrorBody, ErrorCode, StowageError } from "@stowage/schemas";

const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** The body of every refusal: the service's own, and the code that programs compare. */
export interface HelperErrorBody extends ErrorBody {
  code: ErrorCode;
}

/** An error as the browser sees it: the catalogue's status, sentence and code, and nothing of its cause. */
export function renderError(error: StowageError): Response {
  const body: HelperErrorBody = { ...error.toBody(), code: error.code };
  const retryAfter =
    error.retryAfterSeconds ?? (error.code === "unavailable" ? DEFAULT_RETRY_AFTER_SECONDS : undefined);
  return renderJson(error.status, body, retryAfter === undefined ? {} : { "Retry-After": `${retryAfter}` });
}

/** Never kept by a cache: an answer may hold a presigned URL, which is as good as a password for an hour. */
export function renderJson(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
}
