import type { SettingsInput } from "@stowage/schemas/dashboard";
import { audited } from "#audit/audited.js";
import type { Caller } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import type { Project } from "#projects/find-project.js";
import type { ProjectSummary } from "#projects/list-projects.js";
import { updateProject } from "#projects/update-project.js";
import { lockProject } from "./lock-project.js";

export interface ChangeProjectDeps {
  db: Queries;
  clock: () => Date;
}

type Change = { name: string } | { [Setting in keyof SettingsInput]?: SettingsInput[Setting] | undefined };

/**
 * Changes a project's name or its settings; the audit log has what was there before beside what is there now.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export function changeProject(
  deps: ChangeProjectDeps,
  by: Caller & { project: Project },
  change: Change,
): Promise<ProjectSummary> {
  return audited(deps, by, async (deps, tx) => {
    const before = await lockProject(tx, by.project);
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    const result = await updateProject(deps, by.project.ref, Object.fromEntries(given));
    const details = Object.fromEntries(
      given.flatMap(([setting, value]) => [
        [`${setting}_before`, before[setting as keyof SettingsInput] ?? null],
        [setting, value],
      ]),
    );
    const action = "name" in change ? "project.renamed" : "project.settings_changed";
    return { result, entry: { action, projectId: by.project.id, details } };
  });
}
