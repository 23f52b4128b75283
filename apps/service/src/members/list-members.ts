import type { Role } from "@stowage/operator-schemas";
import { and, asc, eq, gt } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { invitations, operators, projectMembers } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

export interface Member {
  operatorId: string;
  name: string;
  email: string;
  role: Role;
  since: string;
}

export interface OpenInvitation {
  invitationId: number;
  email: string;
  role: Role;
  invitedBy: string;
  expiresAt: string;
}

/** Lists the members of a project and its open invitations. @throws {StowageError} `unavailable` */
export async function listMembers(
  deps: { db: Queries; clock: () => Date },
  project: Project,
): Promise<{ members: Member[]; invitations: OpenInvitation[] }> {
  return deps.db.run(async (db) => {
    const members = await db
      .select({
        operatorId: operators.id,
        name: operators.name,
        email: operators.email,
        role: projectMembers.role,
        since: projectMembers.createdAt,
      })
      .from(projectMembers)
      .innerJoin(operators, eq(operators.id, projectMembers.operatorId))
      .where(eq(projectMembers.projectId, project.id))
      .orderBy(asc(operators.email));
    const open = await db
      .select({
        invitationId: invitations.id,
        email: invitations.email,
        role: invitations.role,
        invitedBy: invitations.invitedBy,
        expiresAt: invitations.expiresAt,
      })
      .from(invitations)
      .where(and(eq(invitations.projectId, project.id), gt(invitations.expiresAt, deps.clock())))
      .orderBy(asc(invitations.id));
    return {
      members: members.map((member) => ({ ...member, since: member.since.toISOString() })),
      invitations: open.map((invitation) => ({
        ...invitation,
        expiresAt: invitation.expiresAt.toISOString(),
      })),
    };
  });
}
