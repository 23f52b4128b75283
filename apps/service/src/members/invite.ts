import { DashboardError, type InviteInput } from "@stowage/schemas/dashboard";
import { and, eq } from "drizzle-orm";
import { audited } from "#audit/audited.js";
import type { Caller } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import { invitations, operators, projectMembers } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import type { RandomBytes } from "#lib/random.js";
import type { DashboardAddress } from "#auth/dashboard-address.js";
import { lockProject } from "#admin/lock-project.js";
import { hashToken, makeToken } from "#auth/one-time-token.js";

export interface InviteDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  dashboard: Pick<DashboardAddress, "url">;
}

const VALID_MS = 7 * 24 * 3600 * 1000;

/**
 * Makes a link by which the person of one e-mail address joins the project, once, within a week. An earlier one for the same
 * address ends. The service sends no mail: the link is for the caller to pass on, and is shown this once.
 *
 * @throws {DashboardError} `already_member`; {@link StowageError} `not_found`, `unavailable`
 */
export function invite(
  deps: InviteDeps,
  by: Caller & { project: Project },
  { email, role }: InviteInput,
): Promise<{ url: string; expiresAt: string }> {
  const token = makeToken(deps.randomBytes);
  return audited(deps, by, async (deps, tx) => {
    const projectId = by.project.id;
    await lockProject(tx, by.project);
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
    const expiresAt = new Date(now.getTime() + VALID_MS);
    await tx.insert(invitations).values({
      projectId,
      email,
      role,
      tokenHash: hashToken(token),
      invitedBy: by.operator.email,
      createdAt: now,
      expiresAt,
    });
    // Behind the #, which browsers send to nobody: the token is in no server's log.
    const url = `${deps.dashboard.url()}/invitation#${token}`;
    return {
      result: { url, expiresAt: expiresAt.toISOString() },
      entry: { action: "member.invited", projectId, details: { email, role } },
    };
  });
}
