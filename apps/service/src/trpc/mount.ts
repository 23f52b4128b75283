import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import { lazy } from "#lib/lazy.js";
import { refuseCrossSite } from "#auth/refuse-cross-site.js";
import type { AnswerDeps } from "./answer.js";
import type { TrpcDeps } from "./context.js";

export type { TrpcDeps } from "./context.js";

export type MountTrpcDeps = TrpcDeps & {
  /** For each address; 0 for no limit. */
  rateLimitPerMinute: number;
};

/**
 * `/trpc`, for the dashboard. In a scope of its own: what it adds costs no other call anything. tRPC, the procedures and their
 * verbs are loaded by the first call, and not at start.
 */
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
      leaveBodiesToTrpc(scope);
      const judgeRate = await limitRate(scope, deps.rateLimitPerMinute);
      const loadAnswer = lazy(async () => {
        const { createAnswer } = await import("./answer.js");
        return createAnswer({ ...deps, judgeRate });
      });
      scope.all<{ Params: { path: string } }>("/:path", async (request, reply) => {
        const answer = await loadAnswer();
        await answer(request.params.path, request, reply);
      });
    },
    { prefix: "/trpc" },
  );
}

/** As tRPC's own plugin for Fastify has it, which would load tRPC. */
function leaveBodiesToTrpc(scope: FastifyInstance): void {
  scope.removeContentTypeParser("application/json");
  scope.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_: unknown, body: string) => body,
  );
  scope.addContentTypeParser("multipart/form-data", async (_: unknown, body: unknown) => body);
}

async function limitRate(scope: FastifyInstance, perMinute: number): Promise<AnswerDeps["judgeRate"]> {
  if (perMinute === 0) return async () => null;
  await scope.register(rateLimit, { global: false });
  const check = scope.createRateLimit({ max: perMinute, timeWindow: "1 minute" });
  return async (request) => {
    const rate = await check(request);
    return rate.isAllowed || !rate.isExceeded ? null : Math.max(1, rate.ttlInSeconds);
  };
}
