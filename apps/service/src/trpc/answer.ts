import { StowageError } from "@stowage/schemas";
import { fastifyRequestHandler, type FastifyTRPCPluginOptions } from "@trpc/server/adapters/fastify";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createContext, type TrpcDeps } from "./context.js";
import { isExpected, toTrpcError } from "./errors.js";
import { type AppRouter, appRouter } from "./router.js";

export type AnswerDeps = TrpcDeps & {
  /** Seconds to wait, for an address that asks too often; null for all others. */
  judgeRate(request: FastifyRequest): Promise<number | null>;
};

/** As many as the dashboard's pages send together: a rate of requests limits calls no further than this. */
const MOST_CALLS_AT_ONCE = 20;

type Options = FastifyTRPCPluginOptions<AppRouter>["trpcOptions"];

/** Answers the calls that a request's path names, by the router. */
export function createAnswer(deps: AnswerDeps) {
  const options = {
    router: appRouter,
    maxBatchSize: MOST_CALLS_AT_ONCE,
    createContext: async ({ req, res }) => {
      // Here, where tRPC itself words the refusal, so that each call of a batch is told.
      const retryAfterSeconds = await deps.judgeRate(req);
      if (retryAfterSeconds !== null)
        throw toTrpcError(new StowageError("too_many_requests", { retryAfterSeconds }));
      return createContext(deps, req, res);
    },
    onError({ error, req }) {
      if (error.code !== "INTERNAL_SERVER_ERROR" && error.code !== "SERVICE_UNAVAILABLE") return;
      const { cause } = error;
      req.log.error({ err: isExpected(cause) ? (cause.cause ?? cause) : (cause ?? error) }, error.code);
    },
  } satisfies Options;
  return (path: string, req: FastifyRequest, res: FastifyReply): Promise<void> =>
    fastifyRequestHandler({ ...options, path, req, res });
}
