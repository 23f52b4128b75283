import { initTRPC, TRPCError } from "@trpc/server";
import {
  browserCancelRequest,
  browserCompleteBatch,
  browserCompleteRequest,
  browserDeleteFolderRequest,
  browserDeleteRequest,
  browserDiscardRequest,
  browserDownloadRequest,
  browserDownloadsRequest,
  browserFoldersQuery,
  browserJobQuery,
  browserLinksQuery,
  browserListPartsQuery,
  browserListQuery,
  browserMoveFolderRequest,
  browserOpenQuery,
  browserRequestBatch,
  browserRestoreVersionRequest,
  browserRevokeLinkRequest,
  browserShareRequest,
  browserSignPartsRequest,
  browserUpdateRequest,
  browserUploadRequest,
  browserVersionsQuery,
  parse,
  StowageError,
  trpcCodes,
  type ErrorCode,
} from "@stowage/schemas";
import type * as z from "zod";
import { identifyCaller } from "../core/identify-caller.js";
import type { Stowage } from "../create-stowage.js";
import { reportError, retryAfterSecondsOf, toStowageError } from "../errors.js";
import { refuseCrossSite } from "../http/origin.js";
import { internalsOf } from "../internals.js";

/** The part of the app's tRPC context that the router needs: the request is passed to `tenant`. */
export interface StowageContext {
  request: Request;
}

/** The type of the router of `createStowageRouter`, for the client. */
export type StowageRouter = ReturnType<typeof createStowageRouter>;

/**
 * Creates the helper as a tRPC router with the mutations `request`, `requestBatch`, `signParts`, `complete`, `completeBatch`, `cancel`,
 * `discard`, `delete`, `restore`, `update`, `moveFolder`, `deleteFolder`, `download`, `downloads`, `share`, `revokeLink` and
 * `restoreVersion` and the queries `routes`, `open`, `listParts`, `list`, `folders`, `job`, `links`, `versions` and `usage`. Use it by itself, or merge it into an appRouter whose context has `request`.
 *
 * @param stowage the object that `createStowage` returned
 * @throws {TypeError} for any other object, such as a copy
 * @example const appRouter = t.router({ files: createStowageRouter(stowage) });
 */
export function createStowageRouter(stowage: Pick<Stowage, "handler">) {
  const { config, core } = internalsOf(stowage);
  const t = initTRPC.context<StowageContext>().create();

  // Errors are converted here, not in an errorFormatter: tRPC does not merge routers with different formatters.
  const sameSite = t.procedure.use(async ({ ctx, next }) => {
    try {
      refuseCrossSite(config.allowedOrigins, ctx.request);
      const result = await next();
      if (result.ok || isFromTrpc(result.error)) return result;
      throw result.error.cause;
    } catch (thrown) {
      const error = toStowageError(thrown);
      reportError(config.onError, error, ctx.request);
      throw toTrpcError(error);
    }
  });
  const signedIn = sameSite.use(async ({ ctx, next }) =>
    next({ ctx: { caller: await identifyCaller(config, ctx.request) } }),
  );

  return t.router({
    request: signedIn
      .input(parser(browserUploadRequest))
      .mutation(({ ctx, input }) => core.requestUpload(ctx.caller, input)),
    requestBatch: signedIn
      .input(parser(browserRequestBatch))
      .mutation(({ ctx, input }) => core.requestBatch(ctx.caller, input)),
    signParts: signedIn
      .input(parser(browserSignPartsRequest))
      .mutation(({ ctx, input }) => core.signParts(ctx.caller, input)),
    listParts: signedIn
      .input(parser(browserListPartsQuery))
      .query(({ ctx, input }) => core.listParts(ctx.caller, input)),
    open: signedIn
      .input(parser(browserOpenQuery))
      .query(({ ctx, input }) => core.listOpenUploads(ctx.caller, input)),
    complete: signedIn
      .input(parser(browserCompleteRequest))
      .mutation(({ ctx, input }) => core.completeUpload(ctx.caller, input)),
    completeBatch: signedIn
      .input(parser(browserCompleteBatch))
      .mutation(({ ctx, input }) => core.completeBatch(ctx.caller, input)),
    cancel: signedIn
      .input(parser(browserCancelRequest))
      .mutation(({ ctx, input }) => core.cancelUpload(ctx.caller, input)),
    discard: signedIn
      .input(parser(browserDiscardRequest))
      .mutation(({ ctx, input }) => core.discardUploads(ctx.caller, input)),
    delete: signedIn
      .input(parser(browserDeleteRequest))
      .mutation(({ ctx, input }) => core.deleteFile(ctx.caller, input)),
    restore: signedIn
      .input(parser(browserDeleteRequest))
      .mutation(({ ctx, input }) => core.restoreFile(ctx.caller, input)),
    update: signedIn
      .input(parser(browserUpdateRequest))
      .mutation(({ ctx, input }) => core.updateFile(ctx.caller, input)),
    moveFolder: signedIn
      .input(parser(browserMoveFolderRequest))
      .mutation(({ ctx, input }) => core.moveFolder(ctx.caller, input)),
    deleteFolder: signedIn
      .input(parser(browserDeleteFolderRequest))
      .mutation(({ ctx, input }) => core.deleteFolder(ctx.caller, input)),
    job: signedIn.input(parser(browserJobQuery)).query(({ ctx, input }) => core.readJob(ctx.caller, input)),
    // A mutation, because each call signs a new URL, and caches of queries would keep old ones.
    download: signedIn
      .input(parser(browserDownloadRequest))
      .mutation(({ ctx, input }) => core.createDownload(ctx.caller, input)),
    downloads: signedIn
      .input(parser(browserDownloadsRequest))
      .mutation(({ ctx, input }) => core.createDownloads(ctx.caller, input)),
    share: signedIn
      .input(parser(browserShareRequest))
      .mutation(({ ctx, input }) => core.shareFile(ctx.caller, input)),
    links: signedIn
      .input(parser(browserLinksQuery))
      .query(({ ctx, input }) => core.listLinks(ctx.caller, input)),
    revokeLink: signedIn
      .input(parser(browserRevokeLinkRequest))
      .mutation(({ ctx, input }) => core.revokeLink(ctx.caller, input)),
    versions: signedIn
      .input(parser(browserVersionsQuery))
      .query(({ ctx, input }) => core.listVersions(ctx.caller, input)),
    restoreVersion: signedIn
      .input(parser(browserRestoreVersionRequest))
      .mutation(({ ctx, input }) => core.restoreVersion(ctx.caller, input)),
    list: signedIn
      .input(parser(browserListQuery))
      .query(({ ctx, input }) => core.listFiles(ctx.caller, input)),
    folders: signedIn
      .input(parser(browserFoldersQuery))
      .query(({ ctx, input }) => core.listFolders(ctx.caller, input)),
    usage: signedIn.query(({ ctx }) => core.readUsage(ctx.caller)),
    routes: sameSite.query(() => core.describeRoutes()),
  });
}

/** Whether tRPC refused the call itself, for instance a body that is not JSON. Such an error already has a text for the caller. */
function isFromTrpc({ cause, code }: TRPCError): boolean {
  // tRPC wraps an error that it does not know as INTERNAL_SERVER_ERROR.
  return !(cause instanceof StowageError) && code !== "INTERNAL_SERVER_ERROR";
}

/** Wraps `parse` as a parser for tRPC. The two type-only members are for inference. Nothing reads them at run time. */
function parser<Schema extends z.ZodType>(schema: Schema) {
  const read = (value: unknown) => parse(schema, value);
  return read as typeof read & { _input: z.input<Schema>; _output: z.output<Schema> };
}

function toTrpcError(error: StowageError): TRPCError {
  return new TRPCError({ code: trpcCodes[error.status], message: error.message, cause: error });
}

/** The members that {@link stowageErrorFormatter} adds to an error's data. */
export interface StowageErrorData {
  stowage?: { code: ErrorCode; retry_after_seconds?: number; reserved_bytes?: number };
}

/**
 * Adds the code of a refusal and the seconds to wait to the error that the page receives. Pass it as `errorFormatter` of the
 * appRouter, or call it in your own formatter. Without it the widget has to find the code by the error's text.
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
  const { code, reservedBytes } = error.cause;
  const stowage = {
    code,
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
    ...(reservedBytes === undefined ? {} : { reserved_bytes: reservedBytes }),
  };
  return { ...shape, data: { ...shape.data, stowage } };
}
