import { type RestoreRequest, StowageError } from "@stowage/schemas";
import { and, eq, inArray, sql } from "drizzle-orm";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { files } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import type { FileSelection } from "#files/record/file-conditions.js";
import { queueMoves } from "#files/record/file-tasks.js";
import { recordFileEvents } from "#files/record/file-events.js";
import type { FileRecord } from "#files/record/file-record.js";
import { toRecord } from "#files/record/find-file.js";
import { emitFileEvents, type EventTraceDeps } from "#outbox/emit-events.js";
import { lockFiles, type OwnedFile } from "./lock-files.js";

export interface RestoreFilesDeps extends EventTraceDeps {
  db: Queries;
  clock: () => Date;
}

/** The paths of the request, each in one of the lists, in the order of the request. */
export interface RestoredFiles {
  restored: string[];
  notFound: string[];
}

/**
 * Takes files out of the trash at the customer's request. They can be downloaded again at once. They counted all the time, so the
 * quota does not matter.
 *
 * @returns the file, or for a list of paths which of them were restored
 * @throws {StowageError} `file_not_found` for a single path that is not in the trash; `unavailable`
 */
export async function restoreFiles(
  deps: RestoreFilesDeps & { store: Pick<ObjectStore, "published"> },
  project: Project,
  { paths, tenantId, mustExist }: RestoreRequest,
): Promise<FileRecord | RestoredFiles> {
  const found = await restore(deps, project, { paths, tenantId }, "customer");
  if (mustExist) {
    if (!found[0]) throw new StowageError("file_not_found");
    return toRecord(found[0], deps.store);
  }
  const restored = new Set(found.map(({ file }) => file.path));
  return {
    restored: paths.filter((path) => restored.has(path)),
    notFound: paths.filter((path) => !restored.has(path)),
  };
}

/**
 * Restores those of the files that are in the trash, in one transaction. A file whose own end has passed has no end any more:
 * otherwise it would be deleted again at once.
 *
 * @param actor an operator's e-mail address, or `customer`
 * @returns the restored files as they are now
 * @throws {StowageError} `unavailable`, and then nothing was restored
 */
export async function restore(
  deps: RestoreFilesDeps,
  project: Project,
  selection: FileSelection,
  actor: string,
): Promise<OwnedFile[]> {
  return inTransaction(deps.db, async (db, tx) => {
    const trashed = (await lockFiles(tx, project, selection)).filter(({ file }) => file.status === "trashed");
    return trashed.length === 0 ? [] : restoreLocked({ ...deps, db, tx }, project, trashed, { actor });
  });
}

/**
 * What {@link restore} does to files of the trash that the transaction has locked.
 *
 * @param options.staysInChain whether versions stay among those of their file. Else they are files of their own. @default false
 */
export async function restoreLocked(
  { db, tx, ...deps }: RestoreFilesDeps & { tx: Transaction },
  project: Project,
  trashed: OwnedFile[],
  { actor, staysInChain = false }: { actor: string; staysInChain?: boolean },
): Promise<OwnedFile[]> {
  const at = deps.clock();
  const ids = { projectId: project.id, fileIds: trashed.map(({ file }) => file.id) };
  await recordFileEvents(tx, ids, { kind: "restored", at, actor });
  const rows = await tx
    .update(files)
    .set({
      status: "stored",
      purgeAt: null,
      replacedBy: null,
      replacedAt: null,
      ...(!staysInChain && { chain: sql`case when ${files.replacedBy} is null then ${files.chain} end` }),
      expiresAt: sql`case when ${files.expiresAt} > ${at.toISOString()}::timestamptz then ${files.expiresAt} end`,
      revision: sql`${files.revision} + 1`,
    })
    .where(and(eq(files.projectId, project.id), inArray(files.id, ids.fileIds)))
    .returning();
  await queueMoves(db, project.id, ids.fileIds, at);
  const cause = { projectId: project.id, at, traceparent: deps.traceparent?.() };
  await emitFileEvents(tx, "file.restored", cause, ids.fileIds);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return trashed.map(({ file, tenantId }) => ({ file: byId.get(file.id)!, tenantId }));
}
