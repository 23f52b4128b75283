import { StowageError } from "@stowage/schemas";
import { and, eq, isNull } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projects } from "#db/schema/index.js";
import type { Project } from "./find-project.js";

/**
 * The project of a ref, for the operator, who holds no key.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export async function findProjectByRef(deps: { db: Queries }, ref: string): Promise<Project> {
  const [project] = await deps.db.run((db) =>
    db
      .select({ id: projects.id, ref: projects.ref })
      .from(projects)
      .where(and(eq(projects.ref, ref), isNull(projects.deletedAt))),
  );
  if (!project) throw new StowageError("not_found", { detail: "Project not found" });
  return project;
}
