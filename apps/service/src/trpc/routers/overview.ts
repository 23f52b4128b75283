import { overviewDaysInput, watchUploadsInput } from "@stowage/operator-schemas";
import { readNewestUploads } from "#usage/read-newest-uploads.js";
import { readOverview } from "#usage/read-overview.js";
import { readRefusals } from "#usage/read-refusals.js";
import { readProjectDailyUsage } from "#usage/read-project-daily-usage.js";
import { procedureFor, router, trackedEvent } from "../procedures.js";

export const overviewRouter = router({
  read: procedureFor.viewer.query(({ ctx }) => readOverview(ctx.deps, ctx.membership.project)),
  perDay: procedureFor.viewer
    .input(overviewDaysInput)
    .query(({ ctx, input: { days } }) => readProjectDailyUsage(ctx.deps, ctx.membership.project, { days })),
  refusals: procedureFor.viewer
    .input(overviewDaysInput)
    .query(({ ctx, input }) => readRefusals(ctx.deps, ctx.membership.project, input)),
  newestUploads: procedureFor.viewer.query(({ ctx }) => readNewestUploads(ctx.deps, ctx.membership.project)),
  uploads: procedureFor.viewer.input(watchUploadsInput).subscription(async function* ({
    ctx,
    input,
    signal,
  }) {
    const watcher = {
      operatorId: ctx.caller.operator.id,
      lastSeenId: input.lastEventId ?? undefined,
      signal: signal!,
    };
    const events = ctx.deps.uploadFeed.watch(ctx.membership.project, watcher);
    for await (const { id, files } of events) yield trackedEvent(id, files);
  }),
});
