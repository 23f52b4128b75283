import {
  activityInput,
  finishSetupInput,
  oneTimeLinkInput,
  resetPasswordInput,
  sessionInput,
} from "@stowage/operator-schemas";
import { mayCreateProjects } from "#members/project-creation.js";
import { listAudit } from "#audit/list-audit.js";
import { endOtherSessions, endSession } from "#auth/end-sessions.js";
import { listSessions } from "#auth/list-sessions.js";
import { readPasswordReset, resetPassword } from "#auth/password-reset.js";
import { mustSetUpTwoFactor } from "#auth/require-two-factor.js";
import { finishSetup, isSetUp } from "#auth/setup.js";
import { disconnectOidc, readSignInMethods } from "#auth/sign-in-methods.js";
import { procedureFor, router } from "../procedures.js";

/** The first start: a one-time link of `stowage operator setup-link` or of the service's terminal creates the first operator. */
export const setupRouter = router({
  status: procedureFor.public.query(async ({ ctx }) => ({
    isSetUp: await isSetUp(ctx.deps),
    ...ctx.deps.signInOffer,
  })),
  finish: procedureFor.public.input(finishSetupInput).mutation(async ({ ctx, input }) => {
    const account = await finishSetup(ctx.deps, ctx.client, input);
    await ctx.rememberDevice(account.email);
    return account;
  }),
});

/** The one-time link that `stowage operator reset-password` prints. */
export const passwordResetRouter = router({
  // A mutation, although it changes nothing: the token of a query would appear in the URL.
  read: procedureFor.public
    .input(oneTimeLinkInput)
    .mutation(({ ctx, input }) => readPasswordReset(ctx.deps, input)),
  finish: procedureFor.public.input(resetPasswordInput).mutation(async ({ ctx, input }) => {
    const account = await resetPassword(ctx.deps, ctx.client, input);
    await ctx.rememberDevice(account.email);
    return account;
  }),
});

/** The operator who is signed in. Sign-in and sign-out are routes of `/auth` (http/routes/sign-in.ts). */
export const sessionRouter = router({
  me: procedureFor.setUp.query(({ ctx: { deps, session } }) => ({
    ...session.operator,
    mayCreateProjects: mayCreateProjects(deps.projectCreation, session.operator),
    isTwoFactorRequired: session.isTwoFactorRequired,
    mustSetUpTwoFactor: mustSetUpTwoFactor(session),
  })),
  signInMethods: procedureFor.operator.query(({ ctx }) => readSignInMethods(ctx.deps, ctx.caller)),
  disconnectOidc: procedureFor.operator.mutation(({ ctx }) => disconnectOidc(ctx.deps, ctx.caller)),
  list: procedureFor.operator.query(({ ctx }) => listSessions(ctx.deps, ctx.caller)),
  end: procedureFor.operator
    .input(sessionInput)
    .mutation(({ ctx, input }) => endSession(ctx.deps, ctx.caller, input)),
  endOthers: procedureFor.operator.mutation(({ ctx }) => endOtherSessions(ctx.deps, ctx.caller)),
  activity: procedureFor.operator
    .input(activityInput)
    .query(({ ctx, input }) => listAudit(ctx.deps, { operatorId: ctx.caller.operator.id }, input)),
});
