import { StowageError } from "@stowage/schemas";
import { fastifyRequestHandler, type FastifyTRPCPluginOptions } from "@trpc/server/adapters/fastify";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createContext, type TrpcDeps } from "./context.js";
import { isExpected, toTrpcError } from "./errors.js";
import { type AppRouter, appRouter } from "./router.js";

export type RequestHandlerDeps = TrpcDeps & {
  /** Returns the seconds to wait if the caller's address has sent too many requests, otherwise null. */
  checkRateLimit(request: FastifyRequest): Promise<number | null>;
};

/** The largest batch that the dashboard sends. The rate limit counts requests, so this also limits the calls per minute. */
const MAX_BATCH_SIZE = 20;

type Options = FastifyTRPCPluginOptions<AppRouter>["trpcOptions"];

/** Returns the function that answers the calls of one request. `path` names the calls, separated by commas. */
export function createRequestHandler(deps: RequestHandlerDeps) {
  const options = {
    router: appRouter,
    maxBatchSize: MAX_BATCH_SIZE,
    createContext: async ({ req, res }) => {
      // Checked here and not in a hook, so that tRPC formats the error and reports it for each call of a batch.
      const retryAfterSeconds = await deps.checkRateLimit(req);
      if (retryAfterSeconds !== null) {
        throw toTrpcError(new StowageError("too_many_requests", { retryAfterSeconds }), {
          hasVerbRun: false,
        });
      }
      return createContext(deps, req, res);
    },
    onError({ error, req }) {
      if (error.code !== "INTERNAL_SERVER_ERROR" && error.code !== "SERVICE_UNAVAILABLE") return;
      const { cause } = error;
      req.log.error({ err: isExpected(cause) ? (cause.cause ?? cause) : (cause ?? error) }, error.code);
    },
  } satisfies Options;
  // The path is decoded already. tRPC decodes it again, and would fail at a % that is part of it.
  return (path: string, req: FastifyRequest, res: FastifyReply): Promise<void> =>
    fastifyRequestHandler({ ...options, path: encodeURIComponent(path), req, res });
}
