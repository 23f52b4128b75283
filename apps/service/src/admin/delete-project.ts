import { eq } from "drizzle-orm";
import { audited } from "#audit/audited.js";
import type { Caller } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import { invitations, projects } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { lockProjectNamed } from "./lock-project.js";

/**
 * Deletes a project: for everybody it is gone when this returns, and its key is dead on every replica. Its files are taken out
 * of storage afterwards, however often that is interrupted: see projects/empty-projects.ts.
 *
 * @param input the project's name, typed by the caller
 * @throws {DashboardError} `name_mismatch`; {@link StowageError} `not_found`, `unavailable`
 */
export function deleteProject(
  deps: { db: Queries; clock: () => Date },
  by: Caller & { project: Project },
  input: { name: string },
): Promise<void> {
  return audited(deps, by, async (deps, tx) => {
    const { id, ref, name } = await lockProjectNamed(tx, by.project, input.name);
    const now = deps.clock();
    await tx
      .update(projects)
      // No key has this for its hash.
      .set({ apiKeyHash: `deleted ${ref}`, deletedAt: now, nextPurgeAt: now })
      .where(eq(projects.id, id));
    await tx.delete(invitations).where(eq(invitations.projectId, id));
    return { result: undefined, entry: { action: "project.deleted", projectId: id, details: { name, ref } } };
  });
}
