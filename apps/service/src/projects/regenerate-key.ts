import { StowageError } from "@stowage/schemas";
import { and, eq, isNull } from "drizzle-orm";
import { projects } from "#db/schema/index.js";
import { generateApiKey, toStoredApiKey } from "./api-key.js";
import type { ProjectDeps, ProjectWithKey } from "./create-project.js";

/**
 * Gives the project a new key. The old key is refused by every replica for requests that start after this returns, because all
 * replicas look keys up in the same row.
 *
 * @throws {StowageError} `not_found` for an unknown ref; `unavailable`
 */
export async function regenerateKey(deps: ProjectDeps, ref: string): Promise<ProjectWithKey> {
  const apiKey = generateApiKey(deps.randomBytes);
  const [project] = await deps.db.run((db) =>
    db
      .update(projects)
      .set({ ...toStoredApiKey(apiKey), keyCreatedAt: deps.clock(), keyLastUsedAt: null })
      .where(and(eq(projects.ref, ref), isNull(projects.deletedAt)))
      .returning({ ref: projects.ref, name: projects.name }),
  );
  if (!project) throw new StowageError("not_found", { detail: "Project not found" });
  return { ...project, apiKey };
}
