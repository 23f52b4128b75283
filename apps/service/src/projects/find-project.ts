import { StowageError } from "@stowage/schemas";
import { eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projects } from "#db/schema/index.js";

/** The project that a key opened: what every verb's queries are confined to. */
export interface Project {
  id: number;
  ref: string;
}

/**
 * The project of an API key. Asked of the database each time: no cache may outlive a regenerated key.
 *
 * @throws {StowageError} `unauthorized`, `unavailable`
 */
export async function findProject(deps: { db: Queries }, apiKeyHash: string): Promise<Project> {
  const [project] = await deps.db.run((db) =>
    db
      .select({ id: projects.id, ref: projects.ref })
      .from(projects)
      .where(eq(projects.apiKeyHash, apiKeyHash)),
  );
  if (!project) throw new StowageError("unauthorized");
  return project;
}
