import { StowageError } from "@stowage/schemas";
import type { Role } from "@stowage/schemas/dashboard";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Operator } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import { projectMembers, projects } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

export interface Membership {
  project: Project;
  role: Role;
}

/**
 * The project of a ref as an operator may see it. A project that nobody owns, such as one made by the command line, is the
 * admins': each of them is its owner until there is one.
 *
 * @throws {StowageError} `not_found` for a project that is not theirs as for one that there is not; `unavailable`
 */
export async function findMembership(
  deps: { db: Queries },
  operator: Pick<Operator, "id" | "isAdmin">,
  projectRef: string,
): Promise<Membership> {
  const [row] = await deps.db.run((db) =>
    db
      .select({
        id: projects.id,
        ref: projects.ref,
        role: operator.isAdmin ? roleOfAdmin : projectMembers.role,
      })
      .from(projects)
      .leftJoin(
        projectMembers,
        and(eq(projectMembers.projectId, projects.id), eq(projectMembers.operatorId, operator.id)),
      )
      .where(and(eq(projects.ref, projectRef), isNull(projects.deletedAt))),
  );
  if (!row?.role) throw new StowageError("not_found", { detail: "Project not found" });
  return { project: { id: row.id, ref: row.ref }, role: row.role };
}

/** Whether anybody owns the project of the query's row. */
export const hasOwner = sql<boolean>`exists (
  select from project_members m where m.project_id = ${projects.id} and m.role = 'owner')`;

/** What an admin is in the project of the query's row. */
export const roleOfAdmin = sql<Role | null>`case when ${hasOwner} then ${projectMembers.role} else 'owner' end`;
