import type { StowageError } from "@stowage/schemas";
import { errorBodyOf, retryAfterSecondsOf } from "../errors.js";

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
  const retryAfter = retryAfterSecondsOf(error);
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "Retry-After": `${retryAfter}` };
  return jsonResponse(error.status, errorBodyOf(error), headers);
}
