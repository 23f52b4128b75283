import { DashboardError, type ProjectCreationPolicy } from "@stowage/operator-schemas";
import type { Operator } from "#audit/caller.js";

/** An operator, as far as the right to create projects depends on them. */
export type ProjectCreator = Pick<Operator, "isAdmin" | "hasProjectGrant">;

/** The meaning of the setting PROJECT_CREATION. */
const isAllowed: Record<ProjectCreationPolicy, (operator: ProjectCreator) => boolean> = {
  admins: ({ isAdmin }) => isAdmin,
  granted: ({ isAdmin, hasProjectGrant }) => isAdmin || hasProjectGrant,
  everyone: () => true,
};

/** Tells whether an operator may create projects in the dashboard. The command line has no such limit. */
export function mayCreateProjects(policy: ProjectCreationPolicy, operator: ProjectCreator): boolean {
  return isAllowed[policy](operator);
}

/** @throws {DashboardError} `project_creation_refused` */
export function requireProjectCreation(policy: ProjectCreationPolicy, operator: ProjectCreator): void {
  if (!mayCreateProjects(policy, operator)) throw new DashboardError("project_creation_refused");
}
