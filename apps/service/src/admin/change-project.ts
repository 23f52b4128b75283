import type { SettingsInput } from "@stowage/schemas/dashboard";
import type { ProjectCaller } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import type { ProjectSummary } from "#projects/list-projects.js";
import { lockProject } from "#projects/lock-project.js";
import { updateProject } from "#projects/update-project.js";

type Change = { name: string } | { [Setting in keyof SettingsInput]?: SettingsInput[Setting] | undefined };

/**
 * Changes a project's name or its settings. The audit entry has the old and the new values.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export function changeProject(
  deps: { db: Queries; clock: () => Date },
  caller: ProjectCaller,
  change: Change,
): Promise<ProjectSummary> {
  return auditedTransaction(deps, caller, async (deps, tx) => {
    const before = await lockProject(tx, caller.project);
    const changes = Object.entries(change).filter(([, value]) => value !== undefined);
    const result = await updateProject(deps, caller.project.ref, Object.fromEntries(changes));
    const details = Object.fromEntries(
      changes.flatMap(([setting, value]) => [
        [`${setting}_before`, before[setting as keyof SettingsInput] ?? null],
        [setting, value],
      ]),
    );
    const action = "name" in change ? "project.renamed" : "project.settings_changed";
    return { result, entry: { action, projectId: caller.project.id, details } };
  });
}
