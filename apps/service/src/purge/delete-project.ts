import { eq } from "drizzle-orm";
import type { ProjectCaller } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import { invitations, projects } from "#db/schema/index.js";
import { refuseFilesOnHold } from "#files/lifecycle/set-hold.js";
import { confirmAndLockProject } from "#projects/lock-project.js";

/**
 * Deletes a project. When this returns, no operator can see it and its API key is invalid on every replica. A job removes its
 * files from storage later (purge/purge-deleted-project.ts).
 *
 * @param input the project's name, which the caller typed to confirm
 * @throws {DashboardError} `name_mismatch`; {@link StowageError} `not_found`, `file_on_hold`, `unavailable`
 */
export function deleteProject(
  deps: { db: Queries; clock: () => Date },
  caller: ProjectCaller,
  input: { name: string },
): Promise<void> {
  return auditedTransaction(deps, caller, async (deps, tx) => {
    const { id, ref, name } = await confirmAndLockProject(tx, caller.project, input.name);
    await refuseFilesOnHold(tx, { projectId: id });
    const now = deps.clock();
    await tx
      .update(projects)
      // Not a SHA-256, so no key matches it.
      .set({ apiKeyHash: `deleted ${ref}`, deletedAt: now, nextPurgeAt: now })
      .where(eq(projects.id, id));
    await tx.delete(invitations).where(eq(invitations.projectId, id));
    return { result: undefined, entry: { action: "project.deleted", projectId: id, details: { name, ref } } };
  });
}
