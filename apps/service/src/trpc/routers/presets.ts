import { presetInput, savePresetInput } from "@stowage/operator-schemas";
import { deletePreset, listPresets, savePreset } from "#images/manage-presets.js";
import { retryVariantsOfProject } from "#images/retry-variants.js";
import { readVariantTroubles } from "#images/list-variants.js";
import { procedureFor, router } from "../procedures.js";

/** The presets of image variants. */
export const presetsRouter = router({
  list: procedureFor.viewer.query(({ ctx }) => listPresets(ctx.deps, ctx.membership.project)),
  save: procedureFor.owner
    .input(savePresetInput)
    .mutation(({ ctx, input }) => savePreset(ctx.deps, ctx.caller, presetOf(input))),
  delete: procedureFor.owner
    .input(presetInput)
    .mutation(({ ctx, input }) => deletePreset(ctx.deps, ctx.caller, { name: input.name })),
  troubles: procedureFor.viewer.query(({ ctx }) => readVariantTroubles(ctx.deps, ctx.membership.project)),
  retry: procedureFor.member.mutation(({ ctx }) =>
    retryVariantsOfProject(ctx.deps, ctx.caller, { includeImpossible: false }),
  ),
});

/** Without the project of the call. */
function presetOf<Input extends { projectRef: string }>({ projectRef: _, ...preset }: Input) {
  return preset;
}
