import { type ErrorCode, StowageError, trpcCodes } from "@stowage/schemas";
import { DashboardError, type DashboardErrorCode } from "@stowage/schemas/dashboard";
import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";

/** What every error's `data` has beside tRPC's own members. */
export interface ErrorDetail {
  code: ErrorCode | DashboardErrorCode;
  detail: string;
  /** The member of the input that is wrong, such as `name`. */
  field?: string;
  retryAfterSeconds?: number;
}

/** A refusal of the catalogue as tRPC's own error, with the same status. */
export function toTrpcError(error: StowageError | DashboardError): TRPCError {
  return new TRPCError({ code: trpcCodes[error.status], message: error.message, cause: error });
}

export function isExpected(error: unknown): error is StowageError | DashboardError {
  return error instanceof StowageError || error instanceof DashboardError;
}

/** In the words of the catalogue, whatever was thrown; what nobody expected says no more than that. */
export function describe(error: TRPCError): ErrorDetail {
  const { cause } = error;
  if (cause instanceof StowageError && cause.retryAfterSeconds !== undefined)
    return { code: cause.code, detail: cause.message, retryAfterSeconds: cause.retryAfterSeconds };
  if (isExpected(cause)) return { code: cause.code, detail: cause.message };
  if (cause instanceof ZodError) {
    const [issue] = cause.issues;
    const field = issue?.path.join(".");
    return {
      code: "invalid_request",
      detail: issue?.message ?? new StowageError("invalid_request").message,
      ...(field ? { field } : {}),
    };
  }
  const isBroken = error.code === "BAD_REQUEST" && cause instanceof SyntaxError;
  const known = new StowageError(isBroken ? "invalid_json" : (ofTrpc[error.code] ?? "internal_error"));
  return { code: known.code, detail: known.message };
}

/** What tRPC says before any procedure of ours runs. */
const ofTrpc: Partial<Record<TRPCError["code"], ErrorCode>> = {
  NOT_FOUND: "not_found",
  METHOD_NOT_SUPPORTED: "not_found",
  PARSE_ERROR: "invalid_json",
  BAD_REQUEST: "invalid_request",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
  PAYLOAD_TOO_LARGE: "body_too_large",
};
