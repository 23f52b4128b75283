import { operations } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { readEvents, type ReadEventsDeps } from "#follow/read-events.js";
import { createRoutes, type RouteDeps } from "./route.js";

export type EventRoutesDeps = RouteDeps & Omit<ReadEventsDeps, "db">;

/** The call that follows the events of a project. */
export function eventRoutes(scope: FastifyInstance, deps: EventRoutesDeps): void {
  const { route } = createRoutes(scope, deps);
  route(operations.followEvents, async (inLanes, project, query, request) => {
    const caller = new AbortController();
    const leave = () => caller.abort();
    request.socket.once("close", leave);
    const confirm = () => deps.keys.findProject(request);
    try {
      return await readEvents(inLanes, project, query, { signal: caller.signal, confirm });
    } finally {
      request.socket.off("close", leave);
    }
  });
}
