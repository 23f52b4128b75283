import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { statusesThat } from "#db/schema/file-statuses.js";
import { files } from "#db/schema/index.js";
import { isCounted } from "#files/record/file-conditions.js";
import { recordUpdates } from "#files/record/file-events.js";
import { emitFileEvents, type EventTraceDeps } from "#outbox/emit-events.js";
import type { Project } from "#projects/find-project.js";
import { updateFolderCounters } from "#tenants/folder-counters.js";

type FileRow = typeof files.$inferSelect;

/** The new values of the columns that change, or expressions of the old ones. */
export type UpdatedColumns = Partial<Pick<FileRow, "filename" | "metadata">> & { folder?: string | SQL };

/**
 * Writes new names, folders or metadata of files that the transaction has locked, with their histories, the counters of their folders, and
 * the event `file.updated`. A file in the trash gets no event: receivers know it as deleted.
 *
 * @param before the files as they are, in the order of their ids
 * @param actor an operator's e-mail address, or `customer`
 * @returns the files as they are now
 */
export async function writeUpdates(
  tx: Transaction,
  deps: EventTraceDeps & { clock: () => Date },
  project: Pick<Project, "id">,
  { before, columns, actor }: { before: FileRow[]; columns: UpdatedColumns; actor: string },
): Promise<FileRow[]> {
  const fileIds = before.map(({ id }) => id);
  const at = deps.clock();
  const record = await recordUpdates(tx, { projectId: project.id, fileIds }, { at, actor });
  const now = await tx
    .update(files)
    .set({ ...columns, revision: sql`${files.revision} + 1` })
    .where(and(eq(files.projectId, project.id), inArray(files.id, fileIds)))
    .returning();
  await record();
  const cause = { projectId: project.id, at, traceparent: deps.traceparent?.() };
  const shown = now.filter(({ status }) => !statusesThat("isHidden").includes(status));
  await emitFileEvents(
    tx,
    "file.updated",
    cause,
    shown.map(({ id }) => id),
  );
  // At the end, because it locks the tenant, for which all uploads of the tenant wait.
  await countMoved(tx, project, before, now);
  return now;
}

async function countMoved(
  tx: Transaction,
  project: Pick<Project, "id">,
  before: FileRow[],
  now: FileRow[],
): Promise<void> {
  const folderNow = new Map(now.map(({ id, folder }) => [id, folder]));
  const moved = before.filter(
    ({ id, folder, status }) => isCounted(status) && folderNow.get(id) !== folder && folderNow.has(id),
  );
  const changes = moved.flatMap(({ id, tenant, folder, size }) => [
    { tenant, folder: folderNow.get(id)!, files: 1, bytes: size ?? 0 },
    { tenant, folder, files: -1, bytes: -(size ?? 0) },
  ]);
  await updateFolderCounters(tx, project.id, changes);
}
