import { operations } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { type EventWaiting, readEvents, type ReadEventsDeps } from "#follow/read-events.js";
import { createRoutes, type RouteDeps } from "./route.js";

export type EventRoutesDeps = RouteDeps & Omit<ReadEventsDeps, "db"> & { eventWaits: EventWaiting["waits"] };

/** The call that follows the events of a project. */
export function eventRoutes(scope: FastifyInstance, deps: EventRoutesDeps): void {
  const { route } = createRoutes(scope, deps);
  route(operations.followEvents, async (inLanes, project, query, request) => {
    const caller = new AbortController();
    const leave = () => caller.abort();
    request.socket.once("close", leave);
    const confirm = () => deps.keys.findProject(request);
    try {
      const waiting = { waits: deps.eventWaits, signal: caller.signal, confirm };
      return await readEvents(inLanes, project, query, waiting);
    } finally {
      request.socket.off("close", leave);
    }
  });
}
