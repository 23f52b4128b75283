import { StowageError } from "@stowage/schemas";
import { type ChangeRoleInput, DashboardError, type Role } from "@stowage/operator-schemas";
import { and, eq, ne } from "drizzle-orm";
import type { ProjectCaller } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries, Transaction } from "#db/client.js";
import { operators, projectMembers } from "#db/schema/index.js";
import { lockProject } from "#projects/lock-project.js";
import { hasRole } from "./authorize.js";
import { INVITER_ROLE, revokeInvitationsOf } from "./invite.js";

/**
 * Changes a member's role. If the new role may not invite people, the open invitations that the member sent are revoked.
 *
 * @throws {DashboardError} `last_owner`; {@link StowageError} `not_found`, `unavailable`
 */
export function changeRole(
  deps: { db: Queries; clock: () => Date },
  caller: ProjectCaller,
  { operatorId, role }: ChangeRoleInput,
): Promise<void> {
  return auditedTransaction(deps, caller, async (_, tx) => {
    const projectId = caller.project.id;
    await lockProject(tx, caller.project);
    const { email, role: role_before } = await findMember(tx, projectId, operatorId);
    if (role_before === "owner" && role !== "owner") await requireOtherOwner(tx, projectId, operatorId);
    await tx
      .update(projectMembers)
      .set({ role })
      .where(and(eq(projectMembers.projectId, projectId), eq(projectMembers.operatorId, operatorId)));
    const revoked = hasRole(role, INVITER_ROLE) ? [] : await revokeInvitationsOf(tx, projectId, email);
    const change = {
      action: "member.role_changed",
      projectId,
      details: { email, role_before, role },
    } as const;
    return { result: undefined, entry: [change, ...revoked] };
  });
}

/**
 * Removes a member from a project, and revokes the open invitations that they sent in it. Their account and their other projects
 * stay.
 *
 * @throws {DashboardError} `last_owner`; {@link StowageError} `not_found`, `unavailable`
 */
export function removeMember(
  deps: { db: Queries; clock: () => Date },
  caller: ProjectCaller,
  { operatorId }: { operatorId: string },
): Promise<void> {
  return auditedTransaction(deps, caller, async (_, tx) => {
    const projectId = caller.project.id;
    await lockProject(tx, caller.project);
    const { email, role } = await findMember(tx, projectId, operatorId);
    if (role === "owner") await requireOtherOwner(tx, projectId, operatorId);
    await tx
      .delete(projectMembers)
      .where(and(eq(projectMembers.projectId, projectId), eq(projectMembers.operatorId, operatorId)));
    const revoked = await revokeInvitationsOf(tx, projectId, email);
    const removal = { action: "member.removed", projectId, details: { email, role } } as const;
    return { result: undefined, entry: [removal, ...revoked] };
  });
}

/** @throws {StowageError} `not_found` if the operator is not a member of the project */
async function findMember(
  tx: Transaction,
  projectId: number,
  operatorId: string,
): Promise<{ email: string; role: Role }> {
  const [member] = await tx
    .select({ email: operators.email, role: projectMembers.role })
    .from(projectMembers)
    .innerJoin(operators, eq(operators.id, projectMembers.operatorId))
    .where(and(eq(projectMembers.projectId, projectId), eq(projectMembers.operatorId, operatorId)));
  if (!member) throw new StowageError("not_found", { detail: "Member not found" });
  return member;
}

/**
 * Call it with the project locked. Otherwise two owners who leave at the same time would each still see the other as an owner.
 *
 * @throws {DashboardError} `last_owner`
 */
async function requireOtherOwner(tx: Transaction, projectId: number, operatorId: string): Promise<void> {
  const [other] = await tx
    .select({ operatorId: projectMembers.operatorId })
    .from(projectMembers)
    .where(
      and(
        eq(projectMembers.projectId, projectId),
        eq(projectMembers.role, "owner"),
        ne(projectMembers.operatorId, operatorId),
      ),
    )
    .limit(1);
  if (!other) throw new DashboardError("last_owner");
}
