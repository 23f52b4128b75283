import { StowageError } from "@stowage/schemas";
import { DashboardError, type Role, roles } from "@stowage/operator-schemas";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Operator } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import { projectMembers, projects } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

/** A project and the operator's role in it. */
export interface Membership {
  project: Project;
  role: Role;
}

/**
 * Finds a project in which the operator has at least `role`.
 *
 * @throws {DashboardError} `role_too_low`
 * @throws {StowageError} `not_found` if the project does not exist or the operator may not see it; `unavailable`
 */
export async function authorize(
  deps: { db: Queries },
  operator: Pick<Operator, "id" | "isAdmin">,
  { projectRef, role }: { projectRef: string; role: Role },
): Promise<Membership> {
  const membership = await findMembership(deps, operator, projectRef);
  if (!hasRole(membership.role, role)) throw new DashboardError("role_too_low");
  return membership;
}

/** Tells whether `role` may do what `minRole` may do. */
export function hasRole(role: Role, minRole: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(minRole);
}

/**
 * Finds a project and the operator's role in it. A project without an owner, such as one that the command line created, belongs
 * to the admins: each admin has the role of an owner until the project gets one.
 *
 * @throws {StowageError} `not_found` if the project does not exist or the operator may not see it; `unavailable`
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

/** SQL: whether the project of the query's row has an owner. */
export const hasOwner = sql<boolean>`exists (
  select from project_members m where m.project_id = ${projects.id} and m.role = 'owner')`;

/** SQL: the role of an admin in the project of the query's row. */
export const roleOfAdmin = sql<Role | null>`case when ${hasOwner} then ${projectMembers.role} else 'owner' end`;
