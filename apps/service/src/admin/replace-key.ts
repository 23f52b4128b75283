import { audited } from "#audit/audited.js";
import type { Caller } from "#audit/caller.js";
import type { ProjectDeps, ProjectWithKey } from "#projects/create-project.js";
import type { Project } from "#projects/find-project.js";
import { regenerateKey } from "#projects/regenerate-key.js";
import { lockProjectNamed } from "./lock-project.js";

/**
 * Gives the project a new key; the old one is dead when this returns. The answer is the only sight of the new one.
 *
 * @param input the project's name, typed by the caller
 * @throws {DashboardError} `name_mismatch`; {@link StowageError} `not_found`, `unavailable`
 */
export function replaceKey(
  deps: ProjectDeps,
  by: Caller & { project: Project },
  input: { name: string },
): Promise<ProjectWithKey> {
  return audited(deps, by, async (deps, tx) => {
    const before = await lockProjectNamed(tx, by.project, input.name);
    const result = await regenerateKey(deps, by.project.ref);
    // As people tell keys apart; of the new one not even that.
    const details = { old_key_last4: before.apiKeyLast4 };
    return { result, entry: { action: "key.regenerated", projectId: by.project.id, details } };
  });
}
