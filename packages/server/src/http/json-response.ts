import type { BrowserErrorBody, StowageError } from "@stowage/schemas";

/**
 * Creates a JSON response that no cache keeps: it may hold a user's list of files, or a presigned URL, which works like a password
 * while it is valid. With `nosniff`, no browser lets a page of another site load it as a script or an image.
 */
export function jsonResponse(status: number, body: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}

/** Creates the response for an error: the status, text and code of the catalogue, and nothing of its cause. */
export function errorResponse(error: StowageError): Response {
  const { code, reservedBytes } = error;
  const body: BrowserErrorBody = {
    ...error.toBody(),
    code,
    ...(reservedBytes === undefined ? {} : { reserved_bytes: reservedBytes }),
  };
  const retryAfter = retryAfterSecondsOf(error);
  return jsonResponse(error.status, body, retryAfter === undefined ? {} : { "Retry-After": `${retryAfter}` });
}

const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** Returns the seconds after which the same call may succeed; undefined if waiting does not help. */
export function retryAfterSecondsOf({ code, retryAfterSeconds }: StowageError): number | undefined {
  return retryAfterSeconds ?? (code === "unavailable" ? DEFAULT_RETRY_AFTER_SECONDS : undefined);
}
