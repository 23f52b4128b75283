import { DashboardError, type InviteInput } from "@stowage/operator-schemas";
import { and, eq } from "drizzle-orm";
import type { Operator, ProjectCaller } from "#audit/caller.js";
import { type AuditEntry, auditedTransaction } from "#audit/write-audit.js";
import type { DashboardAddress } from "#auth/dashboard-address.js";
import { createToken, hashToken } from "#auth/one-time-token.js";
import type { Queries, Transaction } from "#db/client.js";
import { invitations, operators, projectMembers } from "#db/schema/index.js";
import type { RandomBytes } from "#lib/random.js";
import { addMs, DAY_MS } from "#lib/time.js";
import { lockProject } from "#projects/lock-project.js";
import { authorize } from "./authorize.js";

interface InviteDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  dashboard: Pick<DashboardAddress, "url">;
}

const INVITATION_VALID_MS = 7 * DAY_MS;
/** The lowest role that may invite people. */
export const INVITER_ROLE = "owner";

/**
 * Creates a link that lets the owner of an e-mail address join the project. The link works once, for seven days, and replaces an
 * earlier link for the same address. The service sends no e-mail: the caller passes the link on, and sees it only this once.
 *
 * @throws {DashboardError} `already_member`, `role_too_low`; {@link StowageError} `not_found`, `unavailable`
 */
export function invite(
  deps: InviteDeps,
  caller: ProjectCaller & { operator: Pick<Operator, "isAdmin"> },
  { email, role }: InviteInput,
): Promise<{ url: string; expiresAt: string }> {
  const token = createToken(deps.randomBytes);
  return auditedTransaction(deps, caller, async (deps, tx) => {
    const projectId = caller.project.id;
    await lockProject(tx, caller.project);
    // Checked a second time, because the caller may have been removed before the project was locked. The removal has revoked the
    // caller's invitations, so the caller must not add another one after it.
    await authorize(deps, caller.operator, { projectRef: caller.project.ref, role: INVITER_ROLE });
    const [member] = await tx
      .select({ id: operators.id })
      .from(projectMembers)
      .innerJoin(operators, eq(operators.id, projectMembers.operatorId))
      .where(and(eq(projectMembers.projectId, projectId), eq(operators.email, email)));
    if (member) throw new DashboardError("already_member");
    await tx
      .delete(invitations)
      .where(and(eq(invitations.projectId, projectId), eq(invitations.email, email)));
    const now = deps.clock();
    const expiresAt = addMs(now, INVITATION_VALID_MS);
    await tx.insert(invitations).values({
      projectId,
      email,
      role,
      tokenHash: hashToken(token),
      invitedBy: caller.operator.email,
      createdAt: now,
      expiresAt,
    });
    // Browsers do not send the part behind the # to any server, so the token appears in no server's log.
    const url = `${deps.dashboard.url()}/invitation#${token}`;
    return {
      result: { url, expiresAt: expiresAt.toISOString() },
      entry: { action: "member.invited", projectId, details: { email, role } },
    };
  });
}

/**
 * Ends an invitation before it expires.
 *
 * @throws {DashboardError} `invitation_refused` if the project has no such invitation; {@link StowageError} `unavailable`
 */
export function revokeInvitation(
  deps: { db: Queries; clock: () => Date },
  caller: ProjectCaller,
  input: { invitationId: number },
): Promise<void> {
  return auditedTransaction(deps, caller, async (_, tx) => {
    const projectId = caller.project.id;
    const [revoked] = await tx
      .delete(invitations)
      .where(and(eq(invitations.projectId, projectId), eq(invitations.id, input.invitationId)))
      .returning({ email: invitations.email });
    if (!revoked) throw new DashboardError("invitation_refused");
    return {
      result: undefined,
      entry: { action: "member.invitation_revoked", projectId, details: revoked },
    };
  });
}

/**
 * Ends all open invitations that an operator sent in a project. Call it with the project locked, in the transaction that takes the
 * operator's right to invite.
 *
 * @returns an audit entry for each invitation
 */
export async function revokeInvitationsOf(
  tx: Transaction,
  projectId: number,
  inviterEmail: string,
): Promise<AuditEntry[]> {
  const revoked = await tx
    .delete(invitations)
    .where(and(eq(invitations.projectId, projectId), eq(invitations.invitedBy, inviterEmail)))
    .returning({ email: invitations.email });
  return revoked.map(({ email }) => ({
    action: "member.invitation_revoked",
    projectId,
    details: { email, invitedBy: inviterEmail },
  }));
}
