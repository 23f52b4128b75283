import { quarantineInput, releaseInput } from "@stowage/operator-schemas";
import { releaseFile } from "#scans/release-file.js";
import { listQuarantine } from "#scans/list-quarantine.js";
import { procedureFor, router } from "../procedures.js";

/** The files that a virus scan found something in. `files.delete` deletes them. */
export const quarantineRouter = router({
  list: procedureFor.viewer
    .input(quarantineInput)
    .query(({ ctx, input }) => listQuarantine(ctx.deps, ctx.membership.project, input)),
  release: procedureFor.owner
    .input(releaseInput)
    .mutation(({ ctx, input }) => releaseFile(ctx.deps, ctx.caller, input)),
});
