import { initTRPC, TRPCError } from "@trpc/server";
import {
  browserCompleteRequest,
  browserUploadRequest,
  errorCatalogue,
  parse,
  StowageError,
  type ErrorCode,
} from "@stowage/schemas";
import type * as z from "zod";
import type { Config } from "./config.js";
import type { Core } from "./core/core.js";
import { reportFault, toStowageError } from "./fault.js";
import { identify } from "./identify.js";

/** What the router needs of the host's context: the request, for `tenant` to look at. */
export interface StowageContext {
  request: Request;
}

export type StowageRouter = ReturnType<typeof createRouter>;

/** The core as a tRPC router: mount it as it is, or merge it into an appRouter whose context has `request`. */
export function createRouter(config: Config, core: Core) {
  const t = initTRPC.context<StowageContext>().create();

  // Errors are turned here, not in an errorFormatter: routers with two different formatters cannot be merged.
  const signedIn = t.procedure.use(async ({ ctx, next }) => {
    try {
      const result = await next({ ctx: { caller: await identify(config, ctx.request) } });
      // A refusal of tRPC's own, such as a body that is no JSON, is already worded for the caller.
      const isOurs = !result.ok && (result.error.cause instanceof StowageError || isUnknown(result.error));
      if (!isOurs) return result;
      throw result.error.cause;
    } catch (thrown) {
      const error = toStowageError(thrown);
      reportFault(config.onError, error, ctx.request);
      throw toTrpcError(error);
    }
  });

  return t.router({
    request: signedIn
      .input(parser(browserUploadRequest))
      .mutation(({ ctx, input }) => core.requestUpload(ctx.caller, input)),
    complete: signedIn
      .input(parser(browserCompleteRequest))
      .mutation(({ ctx, input }) => core.completeUpload(ctx.caller, input)),
  });
}

// What tRPC makes of an error that it has never seen.
function isUnknown(error: TRPCError): boolean {
  return error.code === "INTERNAL_SERVER_ERROR";
}

/** `parse` as tRPC takes it. The two type-only members exist for inference: nothing reads them at run time. */
function parser<Schema extends z.ZodType>(schema: Schema) {
  const read = (value: unknown) => parse(schema, value);
  return read as typeof read & { _input: z.input<Schema>; _output: z.output<Schema> };
}

const trpcCodes = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
} as const satisfies Record<(typeof errorCatalogue)[ErrorCode]["status"], TRPCError["code"]>;

function toTrpcError(error: StowageError): TRPCError {
  const code = trpcCodes[errorCatalogue[error.code].status];
  return new TRPCError({ code, message: error.message, cause: error });
}
