import { type ErrorCode, StowageError } from "@stowage/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { clientNetwork } from "#lib/client-network.js";
import type { SharedCounters } from "#lib/shared-counters.js";
import { hashApiKey, isWellFormedApiKey } from "#projects/api-key.js";
import { type KeyLookup, LEARN_INTERVAL_SECONDS } from "#projects/key-lookup.js";
import type { KeyUseBuffer } from "#projects/key-use-buffer.js";
import type { RefusalBuffer } from "#usage/refusal-buffer.js";
import type { RefusedRequestBuffer } from "#usage/refused-request-buffer.js";
import type { RequestCounters } from "#health/request-counters.js";
import { createFailingKeys, type FailingKeys, type FailingKeysDeps } from "./failing-keys.js";
import { createRefusalHold } from "./hold-refusals.js";
import { acceptJsonOnly } from "./json-body.js";
import { limitProjects } from "./project-rate-limit.js";
import type { RequestTracing } from "./request-tracing.js";
import { hasClientDisconnected, renderError, toStowageError } from "./render-error.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Hash of the request's API key. Set with `projectId`, before any other part of the request is read. */
    apiKeyHash: string;
    /** The project that the key has or had. The statement of the request checks the key. 0: the request has no such key. */
    projectId: number;
  }
}

export interface StorageScopeDeps extends FailingKeysDeps {
  keys: KeyLookup;
  /** Requests per minute and project. 0: no limit. */
  rateLimitPerMinute: number;
  /** Failures with a missing, malformed or unknown API key per minute and client. 0: no limit. */
  failingKeysPerMinute: number;
  /** Null: this replica counts alone. */
  sharedCounters: SharedCounters | null;
  keyUses: Pick<KeyUseBuffer, "record">;
  refusals: Pick<RefusalBuffer, "count">;
  refusedRequests: Pick<RefusedRequestBuffer, "record">;
  requestCounters: Pick<RequestCounters, "record">;
  /** Undefined: requests are not traced. */
  requestTracing: RequestTracing | undefined;
}

type KeyCheckDeps = { keys: KeyLookup; failingKeys: FailingKeys };

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

/** Sets up what all calls under `/api/storage` share: authentication, rate limits, JSON bodies and error handling. */
export async function setUpStorageScope(scope: FastifyInstance, deps: StorageScopeDeps): Promise<void> {
  const holdRefusal = createRefusalHold();
  const failingKeys = createFailingKeys(deps, deps.failingKeysPerMinute);
  const recordRefusal = async (code: ErrorCode, { ip, projectId }: FastifyRequest) => {
    const client = clientNetwork(ip);
    if (code === "unauthorized") await failingKeys.record(client);
    const isBeyondLimit = code === "too_many_requests" && projectId === 0;
    await holdRefusal(client, isBeyondLimit ? "long" : "short");
  };
  acceptJsonOnly(scope);
  scope.decorateRequest("apiKeyHash", "");
  scope.decorateRequest("projectId", 0);
  scope.addHook("onRequest", (request) => authenticate({ keys: deps.keys, failingKeys }, request));
  scope.addHook("onResponse", async (request, reply) => {
    if (reply.statusCode < 400) deps.keyUses.record(request.apiKeyHash);
    deps.requestCounters.record({ status: reply.statusCode, durationMs: reply.elapsedTime });
  });
  const projectLimit = limitProjects(scope, deps, { maxPerMinute: deps.rateLimitPerMinute });
  if (deps.requestTracing) scope.addHook("onRequest", deps.requestTracing.onKeyAccepted);
  scope.setErrorHandler(async (error: Error, request, reply) => {
    // The rest of a body that is too large must not arrive while this waits.
    request.raw.pause();
    const { code } = toStowageError(error);
    // Only limits of tenants refuse a request that counts for its project.
    if (code === "too_many_requests") await projectLimit.takeBack(request);
    if (isRefusal(code)) await recordRefusal(code, request);
    if (request.projectId === 0) return renderError(error, request, reply);
    // Authentication comes first: an invalid body with an unknown key is 401, and the answer says nothing about the body.
    const keyError = errorsBeforeKeyCheck.has(code) ? await findKeyError(deps, request) : undefined;
    const keyErrorCode = keyError && toStowageError(keyError).code;
    if (code === "unauthorized" || keyErrorCode === "unauthorized") deps.keys.forget(request.apiKeyHash);
    if (keyError) {
      if (isRefusal(keyErrorCode!)) await recordRefusal(keyErrorCode!, request);
      return renderError(keyError, request, reply);
    }
    if (!hasClientDisconnected(error, request)) {
      deps.refusals.count(request.apiKeyHash, code);
      deps.refusedRequests.record(request.apiKeyHash, code, tenantIn(request));
    }
    return renderError(error, request, reply);
  });
}

/** What the request names as its tenant, before anything has checked it. */
function tenantIn({ body, query }: FastifyRequest): unknown {
  const { tenant_id: ofBody } = (body ?? {}) as { tenant_id?: unknown };
  return ofBody ?? (query as { tenant_id?: unknown }).tenant_id;
}

/**
 * Finds out which project the request belongs to. A key that this replica knows needs no query: the statement of the request checks
 * it. Another key is looked up here, before the body is read.
 *
 * @throws {StowageError} `unauthorized`, `too_many_requests`, `unavailable`
 */
async function authenticate(deps: KeyCheckDeps, request: FastifyRequest): Promise<void> {
  const apiKeyHash = readApiKeyHash(request.headers.authorization);
  const projectId =
    deps.keys.knownProjectId(apiKeyHash) ?? (await lookUpKey(deps, apiKeyHash, clientNetwork(request.ip)));
  request.apiKeyHash = apiKeyHash;
  request.projectId = projectId;
}

/**
 * Returns the hash of the API key in an Authorization header (RFC 6750: `Bearer`, in upper or lower case), or "" if it has no
 * well-formed key. The checksum finds mistyped keys without a query.
 */
function readApiKeyHash(authorization: string | undefined): string {
  const [, key] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  return key !== undefined && isWellFormedApiKey(key) ? hashApiKey(key) : "";
}

/** Looks up a key that is not known to be valid, unless its client has failed too often. */
async function lookUpKey({ keys, failingKeys }: KeyCheckDeps, apiKeyHash: string, client: string) {
  const secondsToWait = failingKeys.secondsToWait(client);
  if (apiKeyHash === "")
    throw secondsToWait > 0 ? tooManyFailures(secondsToWait) : new StowageError("unauthorized");
  if (secondsToWait === 0) return keys.lookUp(apiKeyHash, client);
  // A project may have this key: it is new, or this replica is. Then it is known when the client tries again.
  keys.learnRecent();
  throw tooManyFailures(Math.min(secondsToWait, LEARN_INTERVAL_SECONDS));
}

const tooManyFailures = (retryAfterSeconds: number) =>
  new StowageError("too_many_requests", { retryAfterSeconds });

/** Returns the error of a key that no project has any more, or undefined. */
async function findKeyError({ keys }: Pick<StorageScopeDeps, "keys">, request: FastifyRequest) {
  try {
    await keys.findProject(request);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
