import { errorCodeOf, StowageError } from "@stowage/schemas";
import { operatorError } from "../errors.js";

/**
 * Converts a refusal of the service into an error of the catalogue. The service sends only a status and a text, so the code is
 * looked up by both.
 */
export function serviceError(response: Response, body: unknown, baseUrl: string): StowageError {
  const retryAfterSeconds = parseRetryAfter(response.headers.get("Retry-After"));
  const { status } = response;
  const detail = detailOf(body);
  if (status === 401) {
    return operatorError(
      "internal_error",
      `The Stowage service at ${baseUrl} refused the API key: it was replaced, or it belongs to another service. Copy the project's key from the dashboard into this server's settings and restart it`,
    );
  }
  if (status === 429) return new StowageError("too_many_requests", { retryAfterSeconds });
  if (status >= 500) {
    const reason = detail ?? "no reason given";
    return operatorError("unavailable", `The Stowage service at ${baseUrl} answered ${status}: ${reason}`, {
      retryAfterSeconds,
    });
  }
  const code = detail === undefined ? undefined : errorCodeOf(detail, status);
  // A redirect, an HTML page or "Not found" for the path itself: this server does not have the operation.
  if (detail === undefined || status < 400 || code === "not_found") {
    return operatorError(
      "unavailable",
      `${baseUrl} answered ${status} and does not seem to be Stowage: check that baseUrl is the address of the Stowage service, without a path`,
    );
  }
  return new StowageError(code ?? "invalid_request", { detail, retryAfterSeconds });
}

/**
 * Reads a `Retry-After` header: whole seconds, or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @returns whole seconds; undefined for a header that is missing or invalid
 */
export function parseRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null || value.trim() === "") return undefined;
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

function detailOf(body: unknown): string | undefined {
  const detail: unknown = (body as { detail?: unknown } | null | undefined)?.detail;
  return typeof detail === "string" && detail !== "" ? detail : undefined;
}
