import type { HoldFilesInput, RestoreFilesInput } from "@stowage/operator-schemas";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import type { FileSelection } from "#files/record/file-conditions.js";
import type { OwnedFile } from "./lock-files.js";
import { restore } from "./restore-files.js";
import { setHold } from "./set-hold.js";
import { fileEntry } from "#files/delete/delete-selection.js";

interface KeepFilesDeps {
  db: Queries;
  clock: () => Date;
}

/** The ids of the input, each in one of the lists, in the order of the input. */
export interface RestoredFileIds {
  restored: number[];
  /** Includes files that are not in the trash. */
  notFound: number[];
}

/**
 * Takes files out of the trash for an operator. Each file has its audit entry. Safe to repeat.
 *
 * @throws {StowageError} `unavailable`, and then nothing was restored
 */
export async function restoreFilesAsOperator(
  deps: KeepFilesDeps,
  actor: ProjectActor,
  { fileIds }: RestoreFilesInput,
): Promise<RestoredFileIds> {
  const files = await restoreAudited(deps, actor, { fileIds });
  const restored = new Set(files.map(({ file }) => file.id));
  return {
    restored: fileIds.filter((id) => restored.has(id)),
    notFound: fileIds.filter((id) => !restored.has(id)),
  };
}

/**
 * Takes files out of the trash, each with an audit entry.
 *
 * @returns the restored files as they are now
 * @throws {StowageError} `unavailable`, and then nothing was restored
 */
export function restoreAudited(
  deps: KeepFilesDeps,
  actor: ProjectActor,
  selection: FileSelection,
): Promise<OwnedFile[]> {
  const { project, operator } = actor;
  return auditedTransaction(deps, actor, async (deps) => {
    const result = await restore(deps, project, selection, operator.email);
    return { result, entry: result.map((found) => fileEntry("file.restored", project, detailsOf(found))) };
  });
}

/** The ids of the input, each in one of the lists, in the order of the input. */
export interface HeldFileIds {
  /** Files that are on hold now, or were released. Includes those that were already. */
  changed: number[];
  notFound: number[];
}

/**
 * Puts files on hold for an operator, or releases them. Each file that changes has its audit entry. Safe to repeat.
 *
 * @throws {StowageError} `tenant_being_deleted`; `unavailable`. Then nothing was changed
 */
export async function holdFilesAsOperator(
  deps: KeepFilesDeps,
  actor: ProjectActor,
  { fileIds, hold }: HoldFilesInput,
): Promise<HeldFileIds> {
  const files = await setHoldAudited(deps, actor, { fileIds }, hold);
  const changed = new Set(files.map(({ file }) => file.id));
  return {
    changed: fileIds.filter((id) => changed.has(id)),
    notFound: fileIds.filter((id) => !changed.has(id)),
  };
}

/**
 * Puts files on hold or releases them. Each file that changes has its audit entry.
 *
 * @returns the files as they are now
 * @throws {StowageError} as {@link holdFilesAsOperator}
 */
export function setHoldAudited(
  deps: KeepFilesDeps,
  actor: ProjectActor,
  selection: FileSelection,
  hold: boolean,
): Promise<OwnedFile[]> {
  const { project, operator } = actor;
  return auditedTransaction(deps, actor, async (deps) => {
    const result = await setHold(deps, project, selection, { hold, actor: operator.email });
    const action = hold ? "file.held" : "file.released";
    const changed = result.filter(({ hasChanged }) => hasChanged);
    return { result, entry: changed.map((found) => fileEntry(action, project, detailsOf(found))) };
  });
}

const detailsOf = ({ file, tenantId }: OwnedFile) => ({ ...file, tenantId });
