import { StowageError } from "@stowage/schemas";
import type { ProjectActor } from "#audit/caller.js";
import { type AuditEntry, auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import { type ProjectSummary, toProjectSummary } from "#projects/list-projects.js";
import { lockProject } from "#projects/lock-project.js";
import { type ProjectChange, updateProject } from "#projects/update-project.js";

type Setting = keyof ProjectChange;

/**
 * Changes a project's name and its settings. An audit entry for the name and one for the settings have the old and the new values.
 *
 * @throws {StowageError} `not_found`; `invalid_request` for an empty change, and for versions without a trash; `unavailable`
 */
export function changeProject(
  deps: { db: Queries; clock: () => Date },
  actor: ProjectActor,
  change: { [Name in Setting]?: ProjectChange[Name] | undefined },
): Promise<ProjectSummary> {
  const { project } = actor;
  return auditedTransaction(deps, actor, async (deps, tx) => {
    const before = toProjectSummary(await lockProject(tx, project));
    const { maxVersions = before.maxVersions, trashDays = before.trashDays } = change;
    if (maxVersions > 0 && trashDays === 0) throw versionsNeedTrash();
    const changes = Object.entries(change).filter(([, value]) => value !== undefined) as Change[];
    const result = await updateProject(deps, project.ref, Object.fromEntries(changes));
    const entryOf = (action: AuditEntry["action"], changes: Change[]): AuditEntry[] =>
      changes.length === 0 ? [] : [{ action, projectId: project.id, details: detailsOf(before, changes) }];
    const isName = ([setting]: Change) => setting === "name";
    const entry = [
      ...entryOf("project.renamed", changes.filter(isName)),
      ...entryOf(
        "project.settings_changed",
        changes.filter((one) => !isName(one)),
      ),
    ];
    return { result, entry };
  });
}

function versionsNeedTrash(): StowageError {
  return new StowageError("invalid_request", {
    detail: "Versions are kept in the trash. Set the days in the trash to 1 or more, or the versions to 0",
  });
}

type Change = [Setting, string | number | boolean | null];

function detailsOf(before: ProjectSummary, changes: Change[]) {
  return Object.fromEntries(
    changes.flatMap(([setting, value]) => [
      [`${setting}_before`, before[setting]],
      [setting, value],
    ]),
  );
}
