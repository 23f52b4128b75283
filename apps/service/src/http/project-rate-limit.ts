import { StowageError } from "@stowage/schemas";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import type { SharedCounters } from "#lib/shared-counters.js";
import { MINUTE_MS, SECOND_MS } from "#lib/time.js";

/**
 * More projects that send requests in the same minute are not counted exactly. Only keys that a project has reach this limit, so
 * requests with forged keys cannot push a project's count out.
 */
const MAX_PROJECTS = 10_000;

/** Turns off the headers of the rate-limit plugin. The wire contract has only Retry-After. */
const NO_HEADERS = { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false };

/**
 * Limits the requests of each project. The requests must have their `projectId` before: register the hook that sets it first.
 *
 * @param limits.maxPerMinute 0: no limit
 */
export async function limitProjects(
  scope: FastifyInstance,
  { sharedCounters }: { sharedCounters: SharedCounters | null },
  { maxPerMinute }: { maxPerMinute: number },
): Promise<void> {
  if (maxPerMinute === 0) return;
  await scope.register(rateLimit, {
    max: maxPerMinute,
    timeWindow: MINUTE_MS,
    cache: MAX_PROJECTS,
    keyGenerator: (request) => String(request.projectId),
    errorResponseBuilder: (_request, { ttl }) => tooManyRequests(ttl),
    addHeaders: NO_HEADERS,
    addHeadersOnExceeding: NO_HEADERS,
  });
  if (sharedCounters === null) return;
  // Runs after the hook of the plugin. During an outage of the store, the plugin's count of this replica still applies.
  scope.addHook("preParsing", async ({ projectId }) => {
    const shared = await sharedCounters.add(`project:${projectId}`, MINUTE_MS);
    if (shared && shared.count > maxPerMinute) throw tooManyRequests(shared.remainingMs);
  });
}

function tooManyRequests(retryAfterMs: number): StowageError {
  return new StowageError("too_many_requests", {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / SECOND_MS)),
  });
}
