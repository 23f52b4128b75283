import { StowageError } from "@stowage/schemas";
import rateLimit from "@fastify/rate-limit";
import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from "@trpc/server/adapters/fastify";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { refuseCrossSite } from "#operators/refuse-cross-site.js";
import { createContext, type TrpcDeps } from "./context.js";
import { isExpected, toTrpcError } from "./errors.js";
import { type AppRouter, appRouter } from "./router.js";

export type { TrpcDeps } from "./context.js";

export type MountTrpcDeps = TrpcDeps & {
  /** For each address; 0 for no limit. */
  rateLimitPerMinute: number;
};

/** As many as the dashboard's pages send together: a rate of requests limits calls no further than this. */
const MOST_CALLS_AT_ONCE = 20;

/** `/trpc`, for the dashboard. In a scope of its own: what it adds costs no other call anything. */
export async function mountTrpc(app: FastifyInstance, deps: MountTrpcDeps): Promise<void> {
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", async (request) => {
        if (request.method !== "GET") refuseCrossSite(deps.dashboard, request.headers.origin);
      });
      // A stream has its connection for itself, and takes it along when it ends: a drain does not wait for what is left of it.
      scope.addHook("onSend", async (_request, reply) => {
        if (String(reply.getHeader("content-type")).startsWith("text/event-stream"))
          reply.header("Connection", "close");
      });
      const refuseTooMany = await limitRate(scope, deps.rateLimitPerMinute);
      const trpcOptions: FastifyTRPCPluginOptions<AppRouter>["trpcOptions"] = {
        router: appRouter,
        maxBatchSize: MOST_CALLS_AT_ONCE,
        createContext: async ({ req, res }) => {
          await refuseTooMany(req);
          return createContext(deps, req, res);
        },
        onError({ error, req }) {
          if (error.code !== "INTERNAL_SERVER_ERROR" && error.code !== "SERVICE_UNAVAILABLE") return;
          const { cause } = error;
          req.log.error({ err: isExpected(cause) ? (cause.cause ?? cause) : (cause ?? error) }, error.code);
        },
      };
      await scope.register(fastifyTRPCPlugin, { trpcOptions });
    },
    { prefix: "/trpc" },
  );
}

/** Asked where tRPC itself words the refusal, so that each call of a batch is told. @throws {TRPCError} too many requests */
async function limitRate(
  scope: FastifyInstance,
  perMinute: number,
): Promise<(request: FastifyRequest) => Promise<void>> {
  if (perMinute === 0) return async () => undefined;
  await scope.register(rateLimit, { global: false });
  const check = scope.createRateLimit({ max: perMinute, timeWindow: "1 minute" });
  return async (request) => {
    const rate = await check(request);
    if (rate.isAllowed || !rate.isExceeded) return;
    const retryAfterSeconds = Math.max(1, rate.ttlInSeconds);
    throw toTrpcError(new StowageError("too_many_requests", { retryAfterSeconds }));
  };
}
