import { confirmNameInput } from "@stowage/schemas/dashboard";
import { describeKey } from "#admin/describe-key.js";
import { replaceKey } from "#admin/replace-key.js";
import { procedureFor, router } from "../init.js";

export const keyRouter = router({
  describe: procedureFor.viewer.query(({ ctx }) => describeKey(ctx.deps, ctx.membership.project)),
  regenerate: procedureFor.owner
    .input(confirmNameInput)
    .mutation(({ ctx, input }) => replaceKey(ctx.deps, ctx.caller, input)),
});
