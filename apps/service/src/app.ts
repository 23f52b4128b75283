import { randomUUID } from "node:crypto";
import { limits } from "@stowage/schemas";
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from "fastify";
import { removeBasePath } from "./http/base-path.js";
import { trackRequests } from "./http/connections.js";
import { normalizeForwardedFor } from "./http/forwarded-for.js";
import { refuseInvalidHosts } from "./http/host-header.js";
import { limitConnections } from "./http/limit-connections.js";
import { refuseConnectAndExpect, renderClientError } from "./http/raw-responses.js";
import { renderError, setCommonHeaders } from "./http/render-error.js";
import { type HttpDeps, registerRoutes } from "./http/router.js";
import { sendStrictTransport, type StrictTransport } from "./http/strict-transport.js";
import { refuseUnknownPaths } from "./http/unknown-paths.js";
import { stopUnreadBodies } from "./http/unread-bodies.js";
import type { ServiceMetrics } from "./telemetry/metrics/metrics.js";
import { registerTrpc, type RegisterTrpcDeps } from "./trpc/register-trpc.js";

type AppDeps = HttpDeps &
  RegisterTrpcDeps & {
    log: FastifyBaseLogger;
    /** Addresses or networks of the proxies whose X-Forwarded-For header is trusted. */
    trustedProxies: string[];
    strictTransport: StrictTransport;
    /** Open connections of one client. 0: no limit. */
    connectionsPerClient: number;
    /** Null: there are no metrics. */
    requestMetrics: Pick<ServiceMetrics["requests"], "onAnswer" | "watchServer"> | null;
  };

/**
 * Creates the HTTP server with all routes. It does not listen yet. The log has one line per request with its id, method, route,
 * status and duration. It must never contain a URL, a header or a body, because they contain keys and presigned URLs.
 */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const rewriteUrl = removeBasePath(deps.dashboard.basePath);
  const app: FastifyInstance = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    // Always generated here: a request id from the caller could bring a key into the log.
    genReqId: () => randomUUID(),
    bodyLimit: limits.requestBodyBytes,
    // A tRPC batch lists its calls in one path segment, so that segment can be long.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2000 },
    ...(rewriteUrl && { rewriteUrl }),
    trustProxy: deps.trustedProxies,
    // Time limits for the headers and for the whole request. Node checks them every 2 seconds instead of every 30.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000, requireHostHeader: false },
    requestTimeout: 30_000,
    // Longer than the proxies keep an idle connection (docs/proxies.md), so that the service does not close one that a proxy uses.
    keepAliveTimeout: 65_000,
    // While the server closes, it still answers requests on open connections, and then closes these connections.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    clientErrorHandler: renderClientError,
    frameworkErrors: renderError,
    schemaController: { compilersFactory: { buildValidator: noJsonSchema, buildSerializer: noJsonSchema } },
  });
  app.addHook("onRequest", async ({ raw }) => normalizeForwardedFor(raw.headers));
  app.addHook("onRequest", async (request, reply) => void setCommonHeaders(request, reply));
  refuseInvalidHosts(app);
  stopUnreadBodies(app);
  sendStrictTransport(app, deps.strictTransport);
  deps.requestTracing?.install(app);
  trackRequests(app.server);
  refuseConnectAndExpect(app.server);
  limitConnections(app.server, {
    maxPerClient: deps.connectionsPerClient,
    trustedProxies: deps.trustedProxies,
    onRefused: () =>
      deps.log.warn("new connections are refused: a client has more than CONNECTIONS_PER_CLIENT"),
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method } = request;
    const { url: route } = request.routeOptions;
    const { statusCode: status, elapsedTime: ms } = reply;
    request.log.info({ method, route: route ?? "unknown", status, ms: Math.round(ms * 10) / 10 }, "request");
    deps.requestMetrics?.onAnswer({ method, route, status, seconds: ms / 1000, code: errorCodeOf(reply) });
  });
  deps.requestMetrics?.watchServer(app.server);
  app.setErrorHandler(renderError);
  refuseUnknownPaths(app);
  await registerRoutes(app, deps);
  await registerTrpc(app, deps);
  return app;
}

/** http/render-error.ts sets the header. */
function errorCodeOf(reply: FastifyReply): string | undefined {
  const code = reply.getHeader("x-error-code");
  return code === undefined ? undefined : String(code);
}

/** zod validates all input. Fastify's own schema compilers are not even loaded, because that takes longer than the rest of Fastify. */
function noJsonSchema(): never {
  throw new Error("A route must not have a JSON schema. Parse its input with zod.");
}
