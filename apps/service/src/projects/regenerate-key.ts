import { StowageError } from "@stowage/schemas";
import { and, eq, isNull } from "drizzle-orm";
import { projects } from "#db/schema/index.js";
import { generateApiKey, keepApiKey } from "./api-key.js";
import type { ProjectDeps, ProjectWithKey } from "./create-project.js";

/**
 * Gives the project a new key. The old one is dead for every request that starts after this returns, on every replica:
 * its hash is gone from the one place that all of them ask.
 *
 * @throws {StowageError} `not_found` for an unknown ref; `unavailable`
 */
export async function regenerateKey(deps: ProjectDeps, ref: string): Promise<ProjectWithKey> {
  const apiKey = generateApiKey(deps.randomBytes);
  const [project] = await deps.db.run((db) =>
    db
      .update(projects)
      .set({ ...keepApiKey(apiKey), keyCreatedAt: deps.clock(), keyLastUsedAt: null })
      .where(and(eq(projects.ref, ref), isNull(projects.deletedAt)))
      .returning({ ref: projects.ref, name: projects.name }),
  );
  if (!project) throw new StowageError("not_found", { detail: "Project not found" });
  return { ...project, apiKey };
}
