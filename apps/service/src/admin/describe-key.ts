import { StowageError } from "@stowage/schemas";
import { eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projects } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

/** What people may know of a key: enough to recognise it. */
export interface KeyDescription {
  start: string;
  last4: string;
  createdAt: string;
  /** To the minute or so; null for never. */
  lastUsedAt: string | null;
}

/** @throws {StowageError} `not_found`, `unavailable` */
export async function describeKey(deps: { db: Queries }, project: Project): Promise<KeyDescription> {
  const [row] = await deps.db.run((db) =>
    db
      .select({
        start: projects.apiKeyStart,
        last4: projects.apiKeyLast4,
        createdAt: projects.keyCreatedAt,
        lastUsedAt: projects.keyLastUsedAt,
      })
      .from(projects)
      .where(eq(projects.id, project.id)),
  );
  if (!row) throw new StowageError("not_found", { detail: "Project not found" });
  const { createdAt, lastUsedAt } = row;
  return { ...row, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
