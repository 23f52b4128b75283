import { type ErrorCode, StowageError } from "@stowage/schemas";
import { DashboardError } from "@stowage/operator-schemas";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";

/** Codes for the errors that Fastify throws before a route runs. */
const codesOfFastify: Partial<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_EMPTY_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "invalid_request",
  FST_ERR_BAD_URL: "not_found",
};

/** Converts any error to one of the catalogue. An unexpected error becomes `internal_error` with the original as its cause. */
export function toStowageError(error: FastifyError | Error, request?: FastifyRequest): StowageError {
  if (error instanceof StowageError) return error;
  const code = "code" in error ? codesOfFastify[error.code] : undefined;
  const bodyLimit = request?.routeOptions.bodyLimit;
  // The catalogue's sentence names the usual limit, and some routes have another one.
  if (code === "body_too_large" && bodyLimit !== undefined) {
    return new StowageError(code, {
      detail: `Request body must be at most ${bodyLimit} bytes`,
      cause: error,
    });
  }
  const isClientError =
    "statusCode" in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500;
  return new StowageError(code ?? (isClientError ? "invalid_request" : "internal_error"), { cause: error });
}

/** Sets the headers that every response has. */
export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    "X-Request-Id": request.id,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
}

/** Sends an error as `{"detail": ...}` with its status and headers. Programs read its code from `X-Error-Code`. */
export function renderError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = prepareReply(error, request, reply);
  return reply.send(known.toBody());
}

/** Sends an error to the dashboard as `{"detail": ..., "code": ...}`. */
export function renderErrorWithCode(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof DashboardError) {
    reply.status(error.status).header("X-Error-Code", error.code);
    return reply.send({ detail: error.message, code: error.code });
  }
  const known = prepareReply(error, request, reply);
  return reply.send({ ...known.toBody(), code: known.code });
}

/** Tells whether the client disconnected while it sent the body. That is not an error of the service. */
export function hasClientDisconnected(error: FastifyError | Error, request: FastifyRequest): boolean {
  return "code" in error && error.code === "ECONNRESET" && request.raw.destroyed;
}

/** Sets everything of an error response except its body, and logs errors of the service. */
export function prepareReply(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): StowageError {
  const known = toStowageError(error, request);
  // A request with an invalid URL never reaches the hook that sets these.
  setCommonHeaders(request, reply);
  if (known.status >= 500 && !hasClientDisconnected(error, request)) {
    request.log.error({ err: known.cause ?? known, code: known.code }, known.code);
  }
  reply.header("X-Error-Code", known.code);
  if (known.status === 401) reply.header("WWW-Authenticate", "Bearer");
  if (known.retryAfterSeconds !== undefined) reply.header("Retry-After", String(known.retryAfterSeconds));
  // An export that fails before its first byte has already set the headers of a CSV file.
  reply.removeHeader("Content-Disposition").type("application/json; charset=utf-8");
  reply.status(known.status);
  return known;
}
