import rateLimit from "@fastify/rate-limit";
import { limits, StowageError } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { refuseCrossSite } from "#auth/refuse-cross-site.js";
import { clientNetwork } from "#lib/client-network.js";
import { decodeJsonText } from "#lib/decode-json.js";
import { lazy } from "#lib/lazy.js";
import type { SharedCounters } from "#lib/shared-counters.js";
import { MINUTE_MS } from "#lib/time.js";
import type { TrpcDeps } from "./context.js";
import type { RequestHandlerDeps } from "./request-handler.js";

export type RegisterTrpcDeps = TrpcDeps & {
  /** Requests per minute and client: an IPv4 address or an IPv6 network (`clientNetwork`). 0: no limit. */
  rateLimitPerMinute: number;
  /** Null: this replica counts alone. */
  sharedCounters: SharedCounters | null;
};

/** The methods of queries, subscriptions and mutations. */
const METHODS = ["GET", "HEAD", "POST"];

/**
 * Registers `/trpc` for the dashboard, in a separate scope, so that its hooks do not run for other routes. The first call loads
 * tRPC, the procedures and their verbs; they are not loaded when the service starts.
 */
export async function registerTrpc(app: FastifyInstance, deps: RegisterTrpcDeps): Promise<void> {
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", async (request, reply) => {
        if (!METHODS.includes(request.method)) {
          reply.header("Allow", METHODS.join(", "));
          throw new StowageError("method_not_allowed");
        }
        if (request.method !== "GET") refuseCrossSite(deps.dashboard, request.headers.origin);
      });
      // An event stream uses its connection alone. Closing the connection with the stream lets a drain end without waiting for it.
      scope.addHook("onSend", async (_request, reply) => {
        if (String(reply.getHeader("content-type")).startsWith("text/event-stream")) {
          reply.header("Connection", "close");
        }
      });
      leaveJsonToTrpc(scope);
      const checkRateLimit = await createRateLimit(scope, deps);
      const loadHandler = lazy(async () => {
        const { createRequestHandler } = await import("./request-handler.js");
        return createRequestHandler({ ...deps, checkRateLimit });
      });
      scope.all<{ Params: { path: string } }>("/:path", async (request, reply) => {
        const handle = await loadHandler();
        await handle(request.params.path, request, reply);
      });
    },
    { prefix: "/trpc" },
  );
}

/**
 * Accepts only JSON and leaves it to tRPC as text. tRPC could also read forms and streams, but no procedure takes one, and tRPC
 * would read them without a limit.
 */
function leaveJsonToTrpc(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: limits.requestBodyBytes },
    async (_: unknown, body: string | Buffer) => decodeJsonText(body as Buffer),
  );
}

async function createRateLimit(
  scope: FastifyInstance,
  { rateLimitPerMinute: max, sharedCounters }: RegisterTrpcDeps,
): Promise<RequestHandlerDeps["checkRateLimit"]> {
  if (max === 0) return async () => null;
  await scope.register(rateLimit, { global: false });
  const check = scope.createRateLimit({ max, timeWindow: MINUTE_MS });
  return async (request) => {
    const own = await check(request);
    if (!own.isAllowed && own.isExceeded) return Math.max(1, own.ttlInSeconds);
    const shared = await sharedCounters?.add(`dashboard:${clientNetwork(request.ip)}`, MINUTE_MS);
    return shared && shared.count > max ? Math.max(1, Math.ceil(shared.remainingMs / 1000)) : null;
  };
}
