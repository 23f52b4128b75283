import { type ErrorCode, StowageError } from "@stowage/schemas";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import { findProject } from "#projects/find-project.js";
import { readApiKeyHash } from "./authenticate.js";
import { acceptJsonOnly } from "./json-body.js";
import { hasHungUp, renderError, toStowageError } from "./render-error.js";
import type { HttpDeps } from "./router.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Of a well-formed key; set before anything else of the request is looked at. */
    apiKeyHash: string;
  }
}

/** What a request can get wrong before any verb has asked the database whose key it is. */
const badRequest = new Set<ErrorCode>([
  "invalid_json",
  "invalid_request",
  "filename_required",
  "tenant_id_required",
  "body_too_large",
  "unsupported_media_type",
]);

/** The contract names Retry-After alone. */
const NO_HEADERS = { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false };

/** What holds for every call of customers: a key first, a rate, JSON, and errors that never come before the key's. */
export async function storageScope(app: FastifyInstance, deps: HttpDeps): Promise<void> {
  acceptJsonOnly(app);
  app.decorateRequest("apiKeyHash", "");
  app.addHook("onRequest", async (request) => {
    request.apiKeyHash = readApiKeyHash(request.headers.authorization);
  });
  app.addHook("onResponse", async (request, reply) => {
    // Whatever else it was told, it was let in.
    if (reply.statusCode < 400) deps.keyUses.record(request.apiKeyHash);
  });
  if (deps.rateLimitPerMinute > 0) {
    await app.register(rateLimit, {
      max: deps.rateLimitPerMinute,
      timeWindow: "1 minute",
      keyGenerator: (request) => request.apiKeyHash,
      errorResponseBuilder: (_request, { ttl }) =>
        new StowageError("too_many_requests", { retryAfterSeconds: Math.max(1, Math.ceil(ttl / 1000)) }),
      addHeaders: NO_HEADERS,
      addHeadersOnExceeding: NO_HEADERS,
    });
  }
  // Authentication is judged before the body: a broken body under an unknown key is 401, and says no more than that.
  app.setErrorHandler(async (error: Error, request, reply) => {
    const known = toStowageError(error);
    if (badRequest.has(known.code) && request.apiKeyHash !== "") {
      const unknownKey = await findProject(deps, request.apiKeyHash).then(
        () => undefined,
        (reason: Error) => reason,
      );
      if (unknownKey) return renderError(unknownKey, request, reply);
    }
    if (request.apiKeyHash !== "" && !hasHungUp(error, request))
      deps.refusals.count(request.apiKeyHash, known.code);
    return renderError(error, request, reply);
  });
}
