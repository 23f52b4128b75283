import { and, eq } from "drizzle-orm";
import { audited } from "#audit/audited.js";
import type { Caller } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import { projectMembers } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { findMember, requireOtherOwner } from "./find-member.js";
import { lockProject } from "#admin/lock-project.js";

/** Takes somebody out of a project; their account and their other projects stay. @throws {DashboardError} `last_owner`; {@link StowageError} `not_found`, `unavailable` */
export function removeMember(
  deps: { db: Queries; clock: () => Date },
  by: Caller & { project: Project },
  { operatorId }: { operatorId: string },
): Promise<void> {
  return audited(deps, by, async (_, tx) => {
    const projectId = by.project.id;
    await lockProject(tx, by.project);
    const { email, role } = await findMember(tx, projectId, operatorId);
    if (role === "owner") await requireOtherOwner(tx, projectId, operatorId);
    await tx
      .delete(projectMembers)
      .where(and(eq(projectMembers.projectId, projectId), eq(projectMembers.operatorId, operatorId)));
    return { result: undefined, entry: { action: "member.removed", projectId, details: { email, role } } };
  });
}
