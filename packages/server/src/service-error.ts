import { errorCodeOf, StowageError } from "@stowage/schemas";
import { fault } from "./fault.js";
import type { ServiceResponse } from "./service-fetch.js";

/**
 * The service's refusal as an error of the catalogue. The service says only status and sentence on its wire, so the
 * code is found by both.
 */
export function serviceError(response: ServiceResponse, body: unknown, baseUrl: string): StowageError {
  const retryAfterSeconds = parseRetryAfter(response.headers.get("Retry-After"));
  const { status } = response;
  const detail = detailOf(body);
  if (status === 401) {
    return fault(
      "internal_error",
      `The Stowage service at ${baseUrl} refused the API key: it was regenerated, or belongs to another service. Copy the project's key from the dashboard into this server's settings and restart it`,
    );
  }
  if (status === 429) return new StowageError("too_many_requests", { retryAfterSeconds });
  if (status >= 500) {
    return fault(
      "unavailable",
      `The Stowage service at ${baseUrl} answered ${status}: ${detail ?? "no reason given"}`,
      {
        retryAfterSeconds,
      },
    );
  }
  const code = detail === undefined ? undefined : errorCodeOf(detail, status);
  // A 3xx, a page of HTML or the service's own "no such path": whoever answers there, it is not this operation.
  if (detail === undefined || status < 400 || code === "not_found") {
    return fault(
      "unavailable",
      `${baseUrl} answered ${status} where Stowage should be: check that baseUrl is the address of the Stowage service, without a path`,
    );
  }
  return new StowageError(code ?? "invalid_request", { detail, retryAfterSeconds });
}

/** Whole seconds from `Retry-After`, which is a number or a date (RFC 9110, section 10.2.3). */
export function parseRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null || value.trim() === "") return undefined;
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

function detailOf(body: unknown): string | undefined {
  const detail: unknown = (body as { detail?: unknown } | null | undefined)?.detail;
  return typeof detail === "string" && detail !== "" ? detail : undefined;
}
