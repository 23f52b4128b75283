import { asc } from "drizzle-orm";
import type { Database } from "#db/client.js";
import { projects } from "#db/schema/index.js";

export interface ProjectSummary {
  ref: string;
  name: string;
  /** First and last characters of the key, with the rest left out. */
  apiKey: string;
  createdAt: string;
}

/** Every project, oldest first. @throws {StowageError} `unavailable` */
export async function listProjects(deps: { db: Database }): Promise<ProjectSummary[]> {
  const rows = await deps.db.run((db) => db.select().from(projects).orderBy(asc(projects.id)));
  return rows.map((row) => ({
    ref: row.ref,
    name: row.name,
    apiKey: `${row.apiKeyStart}…${row.apiKeyLast4}`,
    createdAt: row.createdAt.toISOString(),
  }));
}
