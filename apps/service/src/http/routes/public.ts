import { operations } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { type Database, inLane } from "#db/client.js";
import { checkReadiness, type ReadinessDeps } from "#health/check-readiness.js";
import { lazy } from "#lib/lazy.js";

export type PublicRoutesDeps = Omit<ReadinessDeps, "db" | "isDiskFull"> & { db: Database };

/** The calls that need no key: the two health checks, and the description of the API. */
export function publicRoutes(app: FastifyInstance, deps: PublicRoutesDeps): void {
  app.get(operations.checkAlive.path, async () => ({ status: "alive" }));

  app.get(operations.checkReady.path, async () =>
    checkReadiness({ ...inLane(deps, "health", "readiness"), isDiskFull: deps.db.isDiskFull }),
  );

  // A document never changes while the process runs, so each is made once, at its first request.
  for (const [path, version] of [
    [operations.describe.path, "3.1"],
    [operations.describe30.path, "3.0"],
  ] as const) {
    const loadDocument = lazy(async () => {
      const { describeApi } = await import("../openapi/describe-api.js");
      return JSON.stringify(describeApi(version));
    });
    app.get(path, async (_request, reply) =>
      reply.type("application/json; charset=utf-8").send(await loadDocument()),
    );
  }
}
