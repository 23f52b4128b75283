import { finishSetupInput } from "@stowage/schemas/dashboard";
import { finishSetup } from "#auth/finish-setup.js";
import { isSetUp } from "#auth/is-set-up.js";
import { procedureFor, router } from "../init.js";

/** The first start: the one-time link that makes the first operator. */
export const setupRouter = router({
  status: procedureFor.nobody.query(async ({ ctx }) => ({ isSetUp: await isSetUp(ctx.deps) })),
  finish: procedureFor.nobody
    .input(finishSetupInput)
    .mutation(({ ctx, input }) => finishSetup(ctx.deps, ctx.from, input)),
});
