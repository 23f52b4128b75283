import { StowageError } from "@stowage/schemas";
import type { Role } from "@stowage/schemas/dashboard";
import { eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projects } from "#db/schema/index.js";
import { type ProjectSummary, toProjectSummary } from "#projects/list-projects.js";
import type { Membership } from "#members/find-membership.js";

/** A project, and what the caller is in it. */
export type SeenProject = ProjectSummary & { role: Role };

/** @throws {StowageError} `not_found`, `unavailable` */
export async function readProject(deps: { db: Queries }, seen: Membership): Promise<SeenProject> {
  const [row] = await deps.db.run((db) => db.select().from(projects).where(eq(projects.id, seen.project.id)));
  if (!row) throw new StowageError("not_found", { detail: "Project not found" });
  return { ...toProjectSummary(row), role: seen.role };
}
