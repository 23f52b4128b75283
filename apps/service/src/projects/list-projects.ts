import { asc, isNull } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projects } from "#db/schema/index.js";

export interface ProjectSummary {
  ref: string;
  name: string;
  /** First and last characters of the key, with the rest left out. */
  apiKey: string;
  /** Bytes each tenant may use; null for the service's default. */
  defaultQuotaBytes: number | null;
  maxFileBytes: number;
  requireSize: boolean;
  createdAt: string;
}

/** Every project, oldest first. @throws {StowageError} `unavailable` */
export async function listProjects(deps: { db: Queries }): Promise<ProjectSummary[]> {
  const rows = await deps.db.run((db) =>
    db.select().from(projects).where(isNull(projects.deletedAt)).orderBy(asc(projects.id)),
  );
  return rows.map(toProjectSummary);
}

/** A project as people may see it: without what its key could be tried by. */
export function toProjectSummary(row: typeof projects.$inferSelect): ProjectSummary {
  return {
    ref: row.ref,
    name: row.name,
    apiKey: `${row.apiKeyStart}…${row.apiKeyLast4}`,
    defaultQuotaBytes: row.defaultQuotaBytes,
    maxFileBytes: row.maxFileBytes,
    requireSize: row.requireSize,
    createdAt: row.createdAt.toISOString(),
  };
}
