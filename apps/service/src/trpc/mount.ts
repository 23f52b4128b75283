import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from "@trpc/server/adapters/fastify";
import type { FastifyInstance } from "fastify";
import { refuseCrossSite } from "#operators/refuse-cross-site.js";
import { createContext, type TrpcDeps } from "./context.js";
import { isExpected } from "./errors.js";
import { type AppRouter, appRouter } from "./router.js";

export type { TrpcDeps } from "./context.js";

/** `/trpc`, for the dashboard. In a scope of its own: what it adds costs no other call anything. */
export async function mountTrpc(app: FastifyInstance, deps: TrpcDeps): Promise<void> {
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", async (request) => {
        if (request.method !== "GET") refuseCrossSite(deps.dashboard, request.headers.origin);
      });
      const trpcOptions: FastifyTRPCPluginOptions<AppRouter>["trpcOptions"] = {
        router: appRouter,
        createContext: ({ req, res }) => createContext(deps, req, res),
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
