import { errorCodeOf } from "@stowage/schemas/errors";
import { UploadError, type UploadErrorCode } from "../upload-error.js";

/** The members of a `TRPCClientError` that matter here. `stowage` is set if the backend uses `stowageErrorFormatter`. */
interface TrpcFailure {
  message: string;
  cause?: unknown;
  data?: {
    httpStatus?: number;
    stowage?: { code: UploadErrorCode; retry_after_seconds?: number; reserved_bytes?: number };
  } | null;
}

/** Converts what a tRPC call threw into an `UploadError`. */
export function toUploadError(thrown: unknown): UploadError {
  if (thrown instanceof UploadError) return thrown;
  const { message, data, cause } = thrown as TrpcFailure;
  const status = data?.httpStatus;
  if (!data || status === undefined) return errorWithoutStatus(cause ?? thrown);
  const { stowage } = data;
  const seconds = stowage?.retry_after_seconds;
  return new UploadError(stowage?.code ?? errorCodeOf(message, status) ?? codeOfStatus(status), {
    status,
    detail: message,
    retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
    reservedBytes: stowage?.reserved_bytes,
    cause: thrown,
  });
}

function errorWithoutStatus(cause: unknown): UploadError {
  // Usually the HTML page of a gateway in place of the backend's answer. tRPC does not tell its status.
  if (cause instanceof SyntaxError) return new UploadError("unavailable", { status: 503, cause });
  return new UploadError("network_error", { cause });
}

/** For an error that the customer's own code threw: it has no code, so only the status tells what went wrong. */
function codeOfStatus(status: number): UploadErrorCode {
  if (status === 400) return "invalid_request";
  if (status === 401) return "unauthorized";
  if (status === 403) return "upload_refused";
  if (status === 429) return "too_many_requests";
  return status >= 500 ? "unavailable" : "request_refused";
}
