import { DashboardError } from "@stowage/schemas/dashboard";
import { and, eq } from "drizzle-orm";
import { audited } from "#audit/audited.js";
import type { Caller } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import { invitations } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

/** Ends a link before its time. @throws {DashboardError} `invitation_refused` where there is none; {@link StowageError} `unavailable` */
export function revokeInvitation(
  deps: { db: Queries; clock: () => Date },
  by: Caller & { project: Project },
  input: { invitationId: number },
): Promise<void> {
  return audited(deps, by, async (_, tx) => {
    const [revoked] = await tx
      .delete(invitations)
      .where(and(eq(invitations.projectId, by.project.id), eq(invitations.id, input.invitationId)))
      .returning({ email: invitations.email });
    if (!revoked) throw new DashboardError("invitation_refused");
    return {
      result: undefined,
      entry: { action: "member.invitation_revoked", projectId: by.project.id, details: revoked },
    };
  });
}
