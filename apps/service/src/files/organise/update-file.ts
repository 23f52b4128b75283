import { isDeepStrictEqual } from "node:util";
import { metadata as metadataSchema, parse, StowageError, type UpdateRequest } from "@stowage/schemas";
import type { ProjectActor } from "#audit/caller.js";
import { type AuditEntry, auditedTransaction } from "#audit/write-audit.js";
import { inTransaction, type Queries } from "#db/client.js";
import { statusesThat } from "#db/schema/file-statuses.js";
import { fileEntry } from "#files/delete/delete-selection.js";
import { lockFiles, type OwnedFile } from "#files/lifecycle/lock-files.js";
import type { FileSelection } from "#files/record/file-conditions.js";
import type { FileRecord } from "#files/record/file-record.js";
import { toRecord } from "#files/record/find-file.js";
import { findArrivedFile, type FindArrivedFileDeps } from "#files/settle/find-arrived-file.js";
import type { EventTraceDeps } from "#outbox/emit-events.js";
import type { Project } from "#projects/find-project.js";
import { writeUpdates } from "./write-updates.js";

/** What changes of a file. What is missing stays. A member of `metadata` that is null is removed. */
export type FileChange = Pick<UpdateRequest, "filename" | "metadata" | "folder">;

export interface UpdateFileDeps extends EventTraceDeps {
  db: Queries;
  clock: () => Date;
}

/**
 * Renames a file, moves it to another folder, or changes its metadata at the customer's request. Its path stays. This works in each state
 * that lists show: also for an upload that has not arrived, on hold and in quarantine. Safe to repeat.
 *
 * @returns the file. If storage answers, an upload whose bytes have arrived is stored first
 * @throws {StowageError} `file_not_found`, also for a file in the trash; `invalid_request` if the metadata would be too large;
 * `unavailable`
 */
export async function updateFile(
  deps: FindArrivedFileDeps,
  project: Project,
  { filePath, tenantId, ...change }: UpdateRequest,
): Promise<FileRecord> {
  await findArrivedFile(deps, project, { filePath, tenantId }, { ifStorageIsDown: "return recorded" });
  const selection = { paths: [filePath], tenantId };
  return toRecord((await changeFile(deps.settling, project, selection, change, "customer")).now, deps.store);
}

/**
 * The same for an operator, with an audit entry if the file changes. Storage is not asked.
 *
 * @throws {StowageError} as {@link updateFile}
 */
export function updateFileAudited(
  deps: UpdateFileDeps,
  actor: ProjectActor,
  selection: FileSelection,
  change: FileChange,
): Promise<OwnedFile> {
  const { project, operator } = actor;
  return auditedTransaction(deps, actor, async (deps) => {
    const { now, before } = await changeFile(deps, project, selection, change, operator.email);
    return { result: now, entry: before && updateEntry(project, before, now) };
  });
}

/** The metadata itself may be personal data, so the entry does not have it. */
function updateEntry(project: Project, before: OwnedFile, { file, tenantId }: OwnedFile): AuditEntry {
  const entry = fileEntry("file.updated", project, { ...file, tenantId });
  const metadataChanged = !isDeepStrictEqual(before.file.metadata, file.metadata);
  const folderChanged = before.file.folder !== file.folder;
  return {
    ...entry,
    details: { ...entry.details, filename_before: before.file.filename, metadataChanged, folderChanged },
  };
}

/**
 * Changes the one selected file in a transaction. The row is locked before it is read, so concurrent changes lose nothing.
 *
 * @param actor an operator's e-mail address, or `customer`
 * @returns the file as it is now, and as it was before, or null if it was like this already
 */
async function changeFile(
  deps: UpdateFileDeps,
  project: Project,
  selection: FileSelection,
  change: FileChange,
  actor: string,
): Promise<{ now: OwnedFile; before: OwnedFile | null }> {
  return inTransaction(deps.db, async (_, tx) => {
    const [before] = await lockFiles(tx, project, selection);
    if (!before || statusesThat("isHidden").includes(before.file.status)) {
      throw new StowageError("file_not_found");
    }
    const { file, tenantId } = before;
    const values = {
      filename: change.filename ?? file.filename,
      folder: change.folder ?? file.folder,
      metadata: change.metadata ? merged(file.metadata, change.metadata) : file.metadata,
    };
    const isChanged =
      values.folder !== file.folder ||
      values.filename !== file.filename ||
      !isDeepStrictEqual(values.metadata, file.metadata);
    if (!isChanged) return { now: before, before: null };
    const [row] = await writeUpdates(tx, deps, project, { before: [file], columns: values, actor });
    return { now: { file: row!, tenantId }, before };
  });
}

/** @throws {StowageError} `invalid_request` if the result breaks a limit of metadata */
function merged(
  members: Record<string, string>,
  change: NonNullable<FileChange["metadata"]>,
): Record<string, string> {
  const entries = Object.entries({ ...members, ...change }).filter(([, value]) => value !== null);
  return parse(metadataSchema, Object.fromEntries(entries));
}
