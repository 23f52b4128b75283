import { renameProjectInput, settingsInput } from "@stowage/schemas/dashboard";
import { changeProject } from "#admin/change-project.js";
import { procedureFor, router } from "../init.js";

export const settingsRouter = router({
  rename: procedureFor.owner
    .input(renameProjectInput)
    .mutation(({ ctx, input: { name } }) => changeProject(ctx.deps, ctx.caller, { name })),
  update: procedureFor.owner
    .input(settingsInput)
    .mutation(({ ctx, input: { projectRef: _, ...change } }) => changeProject(ctx.deps, ctx.caller, change)),
});
