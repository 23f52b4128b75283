import { StowageError } from "@stowage/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createLocalCounters } from "#lib/local-counters.js";
import type { SharedCounters } from "#lib/shared-counters.js";
import { MINUTE_MS, SECOND_MS } from "#lib/time.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether the request was within the limit of its project, and counts for it. */
    countsForProject: boolean;
  }
}

export interface ProjectRateLimit {
  /**
   * Takes the request out of the count of its project: a limit of its tenant has refused it. So one tenant that asks in a loop does not
   * use up the requests of the others.
   */
  takeBack(request: FastifyRequest): Promise<void>;
}

/**
 * More projects that send requests in the same minute are not counted exactly. Only keys that a project has reach this limit, so
 * requests with forged keys cannot push a project's count out.
 */
const MAX_PROJECTS = 10_000;

/**
 * Limits the requests of each project. The requests must have their `projectId` before: register the hook that sets it first.
 *
 * The plugin that limits `/trpc` is not used here, because it cannot take a request back.
 *
 * @param limits.maxPerMinute 0: no limit
 */
export function limitProjects(
  scope: FastifyInstance,
  { clock, sharedCounters }: { clock: () => Date; sharedCounters: SharedCounters | null },
  { maxPerMinute }: { maxPerMinute: number },
): ProjectRateLimit {
  const local = createLocalCounters(clock, MAX_PROJECTS);
  const nameOf = ({ projectId }: FastifyRequest) => `project:${projectId}`;
  scope.decorateRequest("countsForProject", false);
  if (maxPerMinute > 0)
    scope.addHook("onRequest", async (request) => {
      const name = nameOf(request);
      const counted = local.add(name, MINUTE_MS);
      if (counted.count > maxPerMinute) throw tooManyRequests(counted.remainingMs);
      // During an outage of the store, the count of this replica still applies.
      const shared = await sharedCounters?.add(name, MINUTE_MS);
      if (shared && shared.count > maxPerMinute) throw tooManyRequests(shared.remainingMs);
      request.countsForProject = true;
    });
  return {
    async takeBack(request) {
      if (!request.countsForProject) return;
      request.countsForProject = false;
      local.add(nameOf(request), MINUTE_MS, -1);
      await sharedCounters?.add(nameOf(request), MINUTE_MS, -1);
    },
  };
}

function tooManyRequests(retryAfterMs: number): StowageError {
  return new StowageError("too_many_requests", {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / SECOND_MS)),
  });
}
