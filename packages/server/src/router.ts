import { initTRPC, TRPCError } from "@trpc/server";
import {
  browserCompleteRequest,
  browserDeleteRequest,
  browserUploadRequest,
  parse,
  StowageError,
  trpcCodes,
  type ErrorCode,
} from "@stowage/schemas";
import type * as z from "zod";
import type { Stowage } from "./create-stowage.js";
import { reportFault, toStowageError } from "./fault.js";
import { identify } from "./identify.js";
import { refuseCrossSite } from "./origin.js";
import { retryAfterSecondsOf } from "./render-error.js";
import { workingsOf } from "./workings.js";

/** What the router needs of the host's context: the request, for `tenant` to look at. */
export interface StowageContext {
  request: Request;
}

export type StowageRouter = ReturnType<typeof createStowageRouter>;

/**
 * The helper as a tRPC router: mutations `request`, `complete` and `delete`, query `routes`. Mount it as it is, or merge it
 * into an appRouter whose context has `request`.
 *
 * @param stowage what `createStowage` returned
 * @example const appRouter = t.router({ files: createStowageRouter(stowage) });
 */
export function createStowageRouter(stowage: Pick<Stowage, "handler">) {
  const { config, core } = workingsOf(stowage);
  const t = initTRPC.context<StowageContext>().create();

  // Errors are turned here, not in an errorFormatter: routers with two different formatters cannot be merged.
  const sameSite = t.procedure.use(async ({ ctx, next }) => {
    try {
      refuseCrossSite(config, ctx.request);
      const result = await next();
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
  const signedIn = sameSite.use(async ({ ctx, next }) =>
    next({ ctx: { caller: await identify(config, ctx.request) } }),
  );

  return t.router({
    request: signedIn
      .input(parser(browserUploadRequest))
      .mutation(({ ctx, input }) => core.requestUpload(ctx.caller, input)),
    complete: signedIn
      .input(parser(browserCompleteRequest))
      .mutation(({ ctx, input }) => core.completeUpload(ctx.caller, input)),
    delete: signedIn
      .input(parser(browserDeleteRequest))
      .mutation(({ ctx, input }) => core.deleteFile(ctx.caller, input)),
    routes: sameSite.query(() => core.describeRoutes()),
  });
}

/** What {@link stowageErrorFormatter} adds to the data of an error. */
export interface StowageErrorData {
  stowage?: { code: ErrorCode; retry_after_seconds?: number };
}

/**
 * Tells the page the code of a refusal, and when to come back: for the `errorFormatter` of the appRouter that the router is
 * merged into, as it is or called by one of the customer's own. Without it the widget finds the code by the sentence.
 *
 * @example const t = initTRPC.context<Context>().create({ errorFormatter: stowageErrorFormatter });
 */
export function stowageErrorFormatter<Shape extends { data: object }>({
  shape,
  error,
}: {
  shape: Shape;
  error: TRPCError;
}): Shape & { data: Shape["data"] & StowageErrorData } {
  if (!(error.cause instanceof StowageError)) return shape;
  const seconds = retryAfterSecondsOf(error.cause);
  const stowage = {
    code: error.cause.code,
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
  };
  return { ...shape, data: { ...shape.data, stowage } };
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

function toTrpcError(error: StowageError): TRPCError {
  return new TRPCError({ code: trpcCodes[error.status], message: error.message, cause: error });
}
