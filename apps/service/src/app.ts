import { randomUUID } from "node:crypto";
import { limits, StowageError } from "@stowage/schemas";
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { answerUpgrades } from "./http/answer-upgrades.js";
import { renderClientError } from "./http/client-error.js";
import { trackQuietConnections } from "./http/quiet-connections.js";
import { renderError, setCommonHeaders } from "./http/render-error.js";
import { mountTrpc, type MountTrpcDeps } from "./trpc/mount.js";
import { type HttpDeps, registerRoutes } from "./http/router.js";

export type AppDeps = HttpDeps &
  MountTrpcDeps & {
    log: FastifyBaseLogger;
    /** Whose X-Forwarded-For says where a call comes from. */
    trustedProxies: string[];
  };

/** zod judges what comes in, so Fastify's own compilers are not even loaded: they take longer than the rest of it. */
function noJsonSchema(): never {
  throw new Error("a route must not have a JSON schema: parse its input with zod");
}

/**
 * The HTTP server with its faces mounted, not yet listening. The log has one line a request: its id, method, route,
 * status and time. Never the URL, a header or a body, since keys and presigned URLs travel in them.
 */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    // Ours, always: one taken from the caller could carry a key into the log.
    genReqId: () => randomUUID(),
    bodyLimit: limits.requestBodyBytes,
    // The dashboard names the calls of a batch in one segment.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2000 },
    trustProxy: deps.trustedProxies,
    // For the head, and for all of it; looked at every other second, where Node's default is every half minute.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000, requireHostHeader: false },
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // While draining, a request on an open connection is still answered as usual; the connection closes after it.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    clientErrorHandler: renderClientError,
    frameworkErrors: renderError,
    schemaController: { compilersFactory: { buildValidator: noJsonSchema, buildSerializer: noJsonSchema } },
  });
  app.addHook("onRequest", async (request, reply) => void setCommonHeaders(request, reply));
  answerUpgrades(app.server);
  const endQuietConnections = trackQuietConnections(app.server);
  app.addHook("preClose", async () => endQuietConnections());
  // A connection that stays open would hold up the drain until its client lets go of it.
  app.addHook("onSend", async (_request, reply) => {
    if (deps.isDraining()) reply.header("Connection", "close");
  });
  app.addHook("onResponse", async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? "unknown",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      "request",
    );
  });
  app.setErrorHandler(renderError);
  app.setNotFoundHandler(() => {
    throw new StowageError("not_found");
  });
  await registerRoutes(app, deps);
  await mountTrpc(app, deps);
  return app;
}
