import { StowageError } from "@stowage/schemas";
import { DashboardError } from "@stowage/schemas/dashboard";
import { and, eq, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { projects } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

/**
 * Locks the project's row for the rest of the transaction, so that what is done to it and to its members is done one after the
 * other. Uploads go on: they only read it.
 *
 * @throws {StowageError} `not_found` when it was deleted meanwhile
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
 * The same, for what cannot be undone: whoever asks for it has typed the project's name.
 *
 * @throws {DashboardError} `name_mismatch`; {@link StowageError} `not_found`
 */
export async function lockProjectNamed(
  tx: Transaction,
  project: Project,
  name: string,
): Promise<typeof projects.$inferSelect> {
  const row = await lockProject(tx, project);
  if (row.name !== name) throw new DashboardError("name_mismatch");
  return row;
}
