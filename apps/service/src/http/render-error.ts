import { type ErrorCode, StowageError } from "@stowage/schemas";
import { DashboardError } from "@stowage/schemas/dashboard";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";

/** What Fastify says before any route of ours runs, in the catalogue's words. */
const fromFastify: Partial<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_EMPTY_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "invalid_request",
  FST_ERR_BAD_URL: "not_found",
};

/** Every failure becomes one of the catalogue; what nobody expected is `internal_error`, with the whole of it as cause. */
export function toStowageError(error: FastifyError | Error, request?: FastifyRequest): StowageError {
  if (error instanceof StowageError) return error;
  const code = "code" in error ? fromFastify[error.code] : undefined;
  const bodyLimit = request?.routeOptions.bodyLimit;
  // Not every route has the same.
  if (code === "body_too_large" && bodyLimit !== undefined) {
    return new StowageError(code, {
      detail: `Request body must be at most ${bodyLimit} bytes`,
      cause: error,
    });
  }
  const isCallers =
    "statusCode" in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500;
  return new StowageError(code ?? (isCallers ? "invalid_request" : "internal_error"), { cause: error });
}

/** What every answer carries, whatever it says. */
export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    "X-Request-Id": request.id,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
}

/** The one place that writes an error: `{"detail": ...}`, its status, and the headers that belong to it. */
export function renderError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = prepareReply(error, request, reply);
  return reply.send(known.toBody());
}

/** The same for pages of ours, which are programs: with the code beside the sentence. */
export function renderErrorWithCode(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof DashboardError)
    return reply.status(error.status).send({ detail: error.message, code: error.code });
  const known = prepareReply(error, request, reply);
  return reply.send({ ...known.toBody(), code: known.code });
}

/** Whether the caller hung up while sending: no fault of ours, and nobody hears our answer. */
export function hasHungUp(error: FastifyError | Error, request: FastifyRequest): boolean {
  return "code" in error && error.code === "ECONNRESET" && request.raw.destroyed;
}

/** Everything of an error's answer but its body. */
function prepareReply(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): StowageError {
  const known = toStowageError(error, request);
  // A URL that cannot be read never comes to the hook that sets them.
  setCommonHeaders(request, reply);
  if (known.status >= 500 && !hasHungUp(error, request))
    request.log.error({ err: known.cause ?? known, code: known.code }, known.code);
  if (known.status === 401) reply.header("WWW-Authenticate", "Bearer");
  if (known.retryAfterSeconds !== undefined) reply.header("Retry-After", String(known.retryAfterSeconds));
  // A file that fails before its first byte has said already what it is.
  reply.removeHeader("Content-Disposition").type("application/json; charset=utf-8");
  reply.status(known.status);
  return known;
}
