import {
  acceptInvitationInput,
  changeRoleInput,
  inviteInput,
  memberInput,
  oneTimeLinkInput,
  revokeInvitationInput,
} from "@stowage/operator-schemas";
import { acceptInvitation, readInvitation } from "#members/accept-invitation.js";
import { invite, revokeInvitation } from "#members/invite.js";
import { listMembers } from "#members/list-members.js";
import { changeRole, removeMember } from "#members/manage-members.js";
import { procedureFor, router } from "../procedures.js";

export const membersRouter = router({
  list: procedureFor.viewer.query(({ ctx }) => listMembers(ctx.deps, ctx.membership.project)),
  invite: procedureFor.owner
    .input(inviteInput)
    .mutation(({ ctx, input }) => invite(ctx.deps, ctx.caller, input)),
  revokeInvitation: procedureFor.owner
    .input(revokeInvitationInput)
    .mutation(({ ctx, input }) => revokeInvitation(ctx.deps, ctx.caller, input)),
  // A mutation, although it changes nothing: the token of a query would appear in the URL.
  readInvitation: procedureFor.public.input(oneTimeLinkInput).mutation(async ({ ctx, input }) => {
    const session = await ctx.findSessionForSetUp();
    return readInvitation(ctx.deps, session?.operator ?? null, input);
  }),
  accept: procedureFor.public.input(acceptInvitationInput).mutation(async ({ ctx, input }) => {
    const session = await ctx.findSession();
    const caller = { operator: session?.operator ?? null, client: ctx.client };
    const joined = await acceptInvitation(ctx.deps, caller, input);
    await ctx.rememberDevice(joined.email);
    return joined;
  }),
  changeRole: procedureFor.owner
    .input(changeRoleInput)
    .mutation(({ ctx, input }) => changeRole(ctx.deps, ctx.caller, input)),
  remove: procedureFor.owner
    .input(memberInput)
    .mutation(({ ctx, input }) => removeMember(ctx.deps, ctx.caller, input)),
});
