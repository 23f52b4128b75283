import { errorCodeOf } from "@stowage/schemas/errors";
import { UploadError, type UploadErrorCode } from "../core/upload-error.js";

/** What is read of a `TRPCClientError`; `stowage` is there when the backend formats errors by `stowageErrorFormatter`. */
interface TrpcFailure {
  message: string;
  cause?: unknown;
  data?: {
    httpStatus?: number;
    stowage?: { code: UploadErrorCode; retry_after_seconds?: number };
  } | null;
}

/** A failure of a tRPC call as the widget knows failures. */
export function toUploadError(thrown: unknown): UploadError {
  if (thrown instanceof UploadError) return thrown;
  const { message, data, cause } = thrown as TrpcFailure;
  const status = data?.httpStatus;
  if (!data || status === undefined) return withoutAnswer(cause ?? thrown);
  const { stowage } = data;
  const seconds = stowage?.retry_after_seconds;
  return new UploadError(stowage?.code ?? errorCodeOf(message, status) ?? codeOf(status), {
    status,
    detail: message,
    retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
    cause: thrown,
  });
}

function withoutAnswer(cause: unknown): UploadError {
  // Mostly a gateway's page in place of the backend's answer; tRPC keeps its status to itself.
  if (cause instanceof SyntaxError) return new UploadError("unavailable", { status: 503, cause });
  return new UploadError("network_error", { cause });
}

/** A sentence of the customer's own has no code on the wire: its status says what kind of refusal it is. */
function codeOf(status: number): UploadErrorCode {
  if (status === 400) return "invalid_request";
  if (status === 401) return "unauthorized";
  if (status === 403) return "upload_refused";
  if (status === 429) return "too_many_requests";
  return status >= 500 ? "unavailable" : "request_refused";
}
