import { DashboardError } from "@stowage/schemas/dashboard";
import { and, eq, gt, isNull } from "drizzle-orm";
import type { Drizzle, Transaction } from "#db/client.js";
import { invitations, projects } from "#db/schema/index.js";
import { hashToken } from "#auth/one-time-token.js";

/**
 * The invitation of a link.
 *
 * @throws {DashboardError} `invitation_refused` for a token that is wrong, old, used or revoked
 */
export async function findInvitation(db: Drizzle | Transaction, token: string, now: Date) {
  // Found by its hash: the time of a look-up in an index tells nothing about the token.
  const [found] = await db
    .select({
      projectId: invitations.projectId,
      projectRef: projects.ref,
      projectName: projects.name,
      id: invitations.id,
      email: invitations.email,
      role: invitations.role,
      invitedBy: invitations.invitedBy,
    })
    .from(invitations)
    .innerJoin(projects, eq(projects.id, invitations.projectId))
    .where(
      and(
        eq(invitations.tokenHash, hashToken(token)),
        gt(invitations.expiresAt, now),
        isNull(projects.deletedAt),
      ),
    );
  if (!found) throw new DashboardError("invitation_refused");
  return found;
}
