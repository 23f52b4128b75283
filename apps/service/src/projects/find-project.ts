import { StowageError } from "@stowage/schemas";
import { and, eq, isNull } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projects } from "#db/schema/index.js";

/** The project that a request belongs to. The queries of every verb are limited to it. */
export interface Project {
  id: number;
  ref: string;
}

/** A prepared statement, because every request with an API key except uploads starts with it. */
const FIND = "select id, ref from projects where api_key_hash = $1";

/**
 * Finds the project of an API key. There is no cache, so a regenerated key stops working immediately.
 *
 * @throws {StowageError} `unauthorized`, `unavailable`
 */
export async function findProject(deps: { db: Queries }, apiKeyHash: string): Promise<Project> {
  const [project] = await deps.db.execute<Project>(FIND, [apiKeyHash]);
  if (!project) throw new StowageError("unauthorized");
  return project;
}

/**
 * Finds a project by its ref, for operators, who have no API key.
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
