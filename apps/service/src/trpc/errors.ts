import { type ErrorCode, StowageError, trpcCodes } from "@stowage/schemas";
import { DashboardError, type DashboardErrorCode } from "@stowage/operator-schemas";
import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";

/** The member `data.stowage` of every error response. */
export interface ErrorDetail {
  code: ErrorCode | DashboardErrorCode;
  detail: string;
  /** The invalid member of the input, such as `name`. */
  field?: string;
  retryAfterSeconds?: number;
  /** The call was refused before its verb ran, so it has changed nothing. Otherwise an outage may have hidden a success. */
  hasChangedNothing?: true;
}

/** An error of a catalogue, thrown before the verb of the call ran. */
class EarlyError extends TRPCError {}

/** Converts an error of a catalogue to tRPC's error with the same status. The verb of the call may have run before it. */
export function toTrpcError(
  error: StowageError | DashboardError,
  { hasVerbRun }: { hasVerbRun: boolean },
): TRPCError {
  const Thrown = hasVerbRun ? TRPCError : EarlyError;
  return new Thrown({ code: trpcCodes[error.status], message: error.message, cause: error });
}

/** Tells whether an error belongs to one of the catalogues. Any other error is a bug or an outage. */
export function isExpected(error: unknown): error is StowageError | DashboardError {
  return error instanceof StowageError || error instanceof DashboardError;
}

/** Describes an error to the dashboard with a code of a catalogue. An unexpected error reveals no details. */
export function toErrorDetail(error: TRPCError): ErrorDetail {
  const { cause } = error;
  if (isExpected(cause)) {
    const { code, message: detail } = cause;
    const retryAfterSeconds = cause instanceof StowageError ? cause.retryAfterSeconds : undefined;
    return {
      code,
      detail,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(error instanceof EarlyError ? { hasChangedNothing: true } : {}),
    };
  }
  if (cause instanceof ZodError) {
    const [issue] = cause.issues;
    const field = issue?.path.join(".");
    return {
      code: "invalid_request",
      detail: issue?.message ?? new StowageError("invalid_request").message,
      ...(field ? { field } : {}),
    };
  }
  const isInvalidJson = error.code === "BAD_REQUEST" && cause instanceof SyntaxError;
  const known = new StowageError(
    isInvalidJson ? "invalid_json" : (codesOfTrpc[error.code] ?? "internal_error"),
  );
  return { code: known.code, detail: known.message };
}

/** Codes for the errors that tRPC throws before a procedure runs. */
const codesOfTrpc: Partial<Record<TRPCError["code"], ErrorCode>> = {
  NOT_FOUND: "not_found",
  METHOD_NOT_SUPPORTED: "method_not_allowed",
  PARSE_ERROR: "invalid_json",
  BAD_REQUEST: "invalid_request",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
  PAYLOAD_TOO_LARGE: "body_too_large",
};
