import type { HoldFilesInput, RestoreFilesInput } from "@stowage/schemas/dashboard";
import type { ProjectCaller } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import type { OwnedFile } from "#files/lifecycle/lock-files.js";
import { restore } from "#files/lifecycle/restore-files.js";
import { setHold } from "#files/lifecycle/set-hold.js";
import { fileEntry } from "./delete-files.js";

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
  caller: ProjectCaller,
  { fileIds }: RestoreFilesInput,
): Promise<RestoredFileIds> {
  const { project, operator } = caller;
  const files = await auditedTransaction(deps, caller, async (deps) => {
    const result = await restore(deps, project, { fileIds }, operator.email);
    return { result, entry: result.map((found) => fileEntry("file.restored", project, detailsOf(found))) };
  });
  const restored = new Set(files.map(({ file }) => file.id));
  return {
    restored: fileIds.filter((id) => restored.has(id)),
    notFound: fileIds.filter((id) => !restored.has(id)),
  };
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
 * @throws {StowageError} `upload_not_found` if one of the files is not in storage; `tenant_being_deleted`; `unavailable`. Then nothing
 * was changed
 */
export async function holdFilesAsOperator(
  deps: KeepFilesDeps,
  caller: ProjectCaller,
  { fileIds, hold }: HoldFilesInput,
): Promise<HeldFileIds> {
  const { project, operator } = caller;
  const files = await auditedTransaction(deps, caller, async (deps) => {
    const result = await setHold(deps, project, { fileIds }, { hold, actor: operator.email });
    const action = hold ? "file.held" : "file.released";
    const changed = result.filter(({ hasChanged }) => hasChanged);
    return { result, entry: changed.map((found) => fileEntry(action, project, detailsOf(found))) };
  });
  const changed = new Set(files.map(({ file }) => file.id));
  return {
    changed: fileIds.filter((id) => changed.has(id)),
    notFound: fileIds.filter((id) => !changed.has(id)),
  };
}

const detailsOf = ({ file, tenantId }: OwnedFile) => ({ ...file, tenantId });
