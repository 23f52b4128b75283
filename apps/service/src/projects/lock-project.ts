import { StowageError } from "@stowage/schemas";
import { DashboardError } from "@stowage/operator-schemas";
import { and, eq, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { projects } from "#db/schema/index.js";
import type { Project } from "./find-project.js";

/**
 * Locks the project's row until the transaction ends, so that changes of a project and its members run one after the other.
 * Uploads only read the row, so they continue.
 *
 * @throws {StowageError} `not_found` if the project was deleted
 */
export async function lockProject(tx: Transaction, project: Project): Promise<typeof projects.$inferSelect> {
  const [row] = await tx
    .select()
    .from(projects)
    .where(and(eq(projects.id, project.id), isNull(projects.deletedAt)))
    .for("no key update");
  if (!row) throw new StowageError("not_found", { detail: "Project not found" });
  return row;
}

/**
 * Locks the project for an action that cannot be undone. The caller confirms the action by typing the project's name.
 *
 * @throws {DashboardError} `name_mismatch`; {@link StowageError} `not_found`
 */
export async function confirmAndLockProject(
  tx: Transaction,
  project: Project,
  name: string,
): Promise<typeof projects.$inferSelect> {
  const row = await lockProject(tx, project);
  if (row.name !== name) throw new DashboardError("name_mismatch");
  return row;
}
