import { oneTimeLinkInput, resetPasswordInput } from "@stowage/schemas/dashboard";
import { readPasswordReset } from "#auth/read-password-reset.js";
import { resetPassword } from "#auth/reset-password.js";
import { procedureFor, router } from "../init.js";

/** The one-time link of `stowage operator reset-password`. */
export const passwordResetRouter = router({
  // Changes nothing, but a query's input would stand in its URL.
  read: procedureFor.nobody
    .input(oneTimeLinkInput)
    .mutation(({ ctx, input }) => readPasswordReset(ctx.deps, input)),
  finish: procedureFor.nobody
    .input(resetPasswordInput)
    .mutation(({ ctx, input }) => resetPassword(ctx.deps, ctx.from, input)),
});
