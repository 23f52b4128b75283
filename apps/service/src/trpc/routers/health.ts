import { refusedRequestsInput, requestPeriodInput } from "@stowage/operator-schemas";
import { readHealth } from "#health/read-health.js";
import { readRequests } from "#health/read-requests.js";
import { listRefusedRequests } from "#usage/list-refused-requests.js";
import { procedureFor, router } from "../procedures.js";

/** The installation's health, for its administrators, and what was refused in a project, for its members. */
export const healthRouter = router({
  read: procedureFor.admin.query(({ ctx }) => {
    const { db, storageEventsSecret } = ctx.allDeps;
    return readHealth({
      ...ctx.deps,
      healthDb: db.lane("health", "dashboard"),
      load: db.load,
      isDiskFull: db.isDiskFull,
      acceptsStorageEvents: storageEventsSecret !== null,
    });
  }),
  requests: procedureFor.admin
    .input(requestPeriodInput)
    .query(({ ctx, input }) => readRequests(ctx.deps, input)),
  refusedRequests: procedureFor.viewer
    .input(refusedRequestsInput)
    .query(({ ctx, input }) => listRefusedRequests(ctx.deps, ctx.membership.project, input)),
});
