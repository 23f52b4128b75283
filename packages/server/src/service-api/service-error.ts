import { type ErrorCode, errorCatalogue, errorCodeOf, StowageError } from "@stowage/schemas";
import { parseRetryAfterMs } from "@stowage/schemas/rules";
import { operatorError } from "../errors.js";

/** Converts a refusal of the service into an error of the catalogue. */
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
  const code = codeOf(response, detail);
  // A redirect, an HTML page, or a path or method that is unknown: this server does not have the operation.
  if (detail === undefined || status < 400 || code === "not_found" || code === "method_not_allowed") {
    return operatorError(
      "unavailable",
      `${baseUrl} answered ${status} and does not seem to be Stowage: check that baseUrl is the address of the Stowage service, without /api/storage`,
    );
  }
  return new StowageError(code ?? "invalid_request", { detail, retryAfterSeconds });
}

/** Reads the code from `X-Error-Code`. Services before that header send only a status and a text, so both are compared. */
function codeOf({ headers, status }: Response, detail: string | undefined): ErrorCode | undefined {
  const sent = headers.get("X-Error-Code");
  if (sent !== null && Object.hasOwn(errorCatalogue, sent)) return sent as ErrorCode;
  return detail === undefined ? undefined : errorCodeOf(detail, status);
}

/** Reads a `Retry-After` header as whole seconds; undefined for a header that is missing or invalid. */
export function parseRetryAfter(header: string | null, nowMs = Date.now()): number | undefined {
  const delayMs = parseRetryAfterMs(header, nowMs);
  return delayMs === undefined ? undefined : Math.ceil(delayMs / 1000);
}

function detailOf(body: unknown): string | undefined {
  const detail: unknown = (body as { detail?: unknown } | null | undefined)?.detail;
  return typeof detail === "string" && detail !== "" ? detail : undefined;
}
