import { type ErrorCode, StowageError } from "@stowage/schemas";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { hashApiKey, isWellFormedApiKey } from "#projects/api-key.js";
import type { KeyLookup } from "#projects/key-lookup.js";
import type { KeyUseBuffer } from "#projects/key-use-buffer.js";
import type { RefusalBuffer } from "#usage/refusal-buffer.js";
import { createRefusalHold } from "./hold-refusals.js";
import { acceptJsonOnly } from "./json-body.js";
import { hasClientDisconnected, renderError, toStowageError } from "./render-error.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Hash of the request's well-formed API key. Set before any other part of the request is read. */
    apiKeyHash: string;
  }
}

export interface StorageScopeDeps {
  keys: KeyLookup;
  /** Requests per minute and API key. 0: no limit. */
  rateLimitPerMinute: number;
  keyUses: Pick<KeyUseBuffer, "record">;
  refusals: Pick<RefusalBuffer, "count">;
}

/** Errors that a request can cause before a verb has asked the database whether its API key exists. */
const errorsBeforeKeyCheck = new Set<ErrorCode>([
  "invalid_json",
  "invalid_request",
  "filename_required",
  "tenant_id_required",
  "body_too_large",
  "unsupported_media_type",
]);

/** Errors that a client gets again and again if it repeats its requests too often, or with an invalid key. */
const isRefusal = (code: ErrorCode) => code === "too_many_requests" || code === "unauthorized";

/** Turns off the headers of the rate-limit plugin. The wire contract has only Retry-After. */
const NO_HEADERS = { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false };

/** Sets up what all calls under `/api/storage` share: authentication, the rate limit, JSON bodies and error handling. */
export async function setUpStorageScope(scope: FastifyInstance, deps: StorageScopeDeps): Promise<void> {
  const holdRefusal = createRefusalHold();
  acceptJsonOnly(scope);
  scope.decorateRequest("apiKeyHash", "");
  scope.addHook("onRequest", async (request) => {
    request.apiKeyHash = readApiKeyHash(request.headers.authorization);
  });
  scope.addHook("onResponse", async (request, reply) => {
    if (reply.statusCode < 400) deps.keyUses.record(request.apiKeyHash);
  });
  if (deps.rateLimitPerMinute > 0) {
    await scope.register(rateLimit, {
      max: deps.rateLimitPerMinute,
      timeWindow: "1 minute",
      keyGenerator: (request) => request.apiKeyHash,
      errorResponseBuilder: (_request, { ttl }) =>
        new StowageError("too_many_requests", { retryAfterSeconds: Math.max(1, Math.ceil(ttl / 1000)) }),
      addHeaders: NO_HEADERS,
      addHeadersOnExceeding: NO_HEADERS,
    });
  }
  scope.setErrorHandler(async (error: Error, request, reply) => {
    const { apiKeyHash } = request;
    const { code } = toStowageError(error);
    if (isRefusal(code)) await holdRefusal(request.ip);
    if (apiKeyHash === "") return renderError(error, request, reply);
    // Authentication comes first: an invalid body with an unknown key is 401, and the answer says nothing about the body.
    const keyError = errorsBeforeKeyCheck.has(code) ? await findKeyError(deps, request) : undefined;
    if (code === "unauthorized" || keyError) deps.keys.forget(apiKeyHash);
    if (keyError) {
      await holdRefusal(request.ip);
      return renderError(keyError, request, reply);
    }
    if (!hasClientDisconnected(error, request)) deps.refusals.count(apiKeyHash, code);
    return renderError(error, request, reply);
  });
}

/**
 * Returns the hash of the API key in an Authorization header (RFC 6750: `Bearer`, in upper or lower case). The checksum finds
 * mistyped keys without a query. The verb checks whether a project has the key.
 *
 * @throws {StowageError} `unauthorized`
 */
function readApiKeyHash(authorization: string | undefined): string {
  const [, key] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (key === undefined || !isWellFormedApiKey(key)) throw new StowageError("unauthorized");
  return hashApiKey(key);
}

/** Returns the error of a key that no project has, or undefined. */
async function findKeyError(
  { keys }: Pick<StorageScopeDeps, "keys">,
  { apiKeyHash, ip }: FastifyRequest,
): Promise<Error | undefined> {
  try {
    await keys.findProject(apiKeyHash, ip);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
