import {
  acceptInvitationInput,
  changeRoleInput,
  inviteInput,
  memberInput,
  oneTimeLinkInput,
  revokeInvitationInput,
} from "@stowage/schemas/dashboard";
import { acceptInvitation } from "#members/accept-invitation.js";
import { changeRole } from "#members/change-role.js";
import { invite } from "#members/invite.js";
import { listMembers } from "#members/list-members.js";
import { readInvitation } from "#members/read-invitation.js";
import { removeMember } from "#members/remove-member.js";
import { revokeInvitation } from "#members/revoke-invitation.js";
import { procedureFor, router } from "../init.js";

export const membersRouter = router({
  list: procedureFor.viewer.query(({ ctx }) => listMembers(ctx.deps, ctx.membership.project)),
  invite: procedureFor.owner
    .input(inviteInput)
    .mutation(({ ctx, input }) => invite(ctx.deps, ctx.caller, input)),
  revokeInvitation: procedureFor.owner
    .input(revokeInvitationInput)
    .mutation(({ ctx, input }) => revokeInvitation(ctx.deps, ctx.caller, input)),
  // Changes nothing, but a query's input would stand in its URL.
  readInvitation: procedureFor.nobody
    .input(oneTimeLinkInput)
    .mutation(async ({ ctx, input }) => readInvitation(ctx.deps, await ctx.findOperator(), input)),
  accept: procedureFor.nobody
    .input(acceptInvitationInput)
    .mutation(async ({ ctx, input }) =>
      acceptInvitation(ctx.deps, { operator: await ctx.findOperator(), from: ctx.from }, input),
    ),
  changeRole: procedureFor.owner
    .input(changeRoleInput)
    .mutation(({ ctx, input }) => changeRole(ctx.deps, ctx.caller, input)),
  remove: procedureFor.owner
    .input(memberInput)
    .mutation(({ ctx, input }) => removeMember(ctx.deps, ctx.caller, input)),
});
