import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Queries, Transaction } from "#db/client.js";
import { fileEvents, files } from "#db/schema/index.js";
import { groupBy } from "#lib/group-by.js";
import { addMs, DAY_MS } from "#lib/time.js";

/** Files of one project. */
export interface FileIds {
  projectId: number;
  fileIds: number[];
}

type FileRow = typeof files.$inferSelect;

/** How long the history of a deleted file is kept. */
const RETENTION_MS = 90 * DAY_MS;
const DELETE_BATCH_SIZE = 5000;

/**
 * Records that other bytes replaced a stored file's object. Call it in the transaction that updates the file, before the update:
 * the old row still contains the earlier events.
 */
export async function recordReplay(
  tx: Transaction,
  file: FileRow,
  replay: { at: Date; size: number; etag: string },
): Promise<void> {
  await insertUnrecordedEvents(tx, { projectId: file.projectId, fileIds: [file.id] });
  await tx.insert(fileEvents).values({ ...toColumns(file), kind: "replayed", actor: "customer", ...replay });
}

/** Records that a stored file's object has disappeared from storage. Call it before the update, as {@link recordReplay}. */
export async function recordLoss(tx: Transaction, file: FileRow, at: Date): Promise<void> {
  await insertUnrecordedEvents(tx, { projectId: file.projectId, fileIds: [file.id] });
  await tx.insert(fileEvents).values({ ...toColumns(file), kind: "lost", actor: "service", at });
}

/**
 * Records that files were deleted, and limits their history to 90 days from then. Call it before the update, as {@link
 * recordReplay}.
 */
export async function recordDeletes(
  tx: Transaction,
  ids: FileIds,
  { at, actor }: { at: Date; actor: string },
): Promise<void> {
  await insertUnrecordedEvents(tx, ids);
  await insertEvents(tx, ids, { kind: "deleted", at, actor });
  await tx
    .update(fileEvents)
    .set({ forgetAt: addMs(at, RETENTION_MS) })
    .where(and(eq(fileEvents.projectId, ids.projectId), inArray(fileEvents.fileId, ids.fileIds)));
}

/**
 * Records that files were moved to the trash, restored from it, put on hold or released. Call it before the update, as {@link
 * recordReplay}.
 */
export async function recordFileEvents(
  tx: Transaction,
  ids: FileIds,
  event: { kind: "trashed" | "restored" | "held" | "released"; at: Date; actor: string },
): Promise<void> {
  await insertUnrecordedEvents(tx, ids);
  await insertEvents(tx, ids, event);
}

/**
 * Records that files have another name or other metadata. Call it before the update, and the function that it returns after it: the
 * events before it keep the name that the file had.
 */
export async function recordUpdates(
  tx: Transaction,
  ids: FileIds,
  { at, actor }: { at: Date; actor: string },
): Promise<() => Promise<void>> {
  await insertUnrecordedEvents(tx, ids);
  return () => insertEvents(tx, ids, { kind: "updated", at, actor });
}

async function insertEvents(
  tx: Transaction,
  { projectId, fileIds }: FileIds,
  { kind, at, actor }: { kind: (typeof fileEvents.$inferSelect)["kind"]; at: Date; actor: string },
): Promise<void> {
  await tx.execute(sql`
    insert into file_events (project_id, file_id, kind, at, size, etag, path, filename, actor)
    select project_id, id, ${kind}::text::file_event_kind, ${at.toISOString()}::timestamptz, size, etag, path, filename, ${actor}
    from ${files} where ${and(eq(files.projectId, projectId), inArray(files.id, fileIds))}`);
}

async function insertUnrecordedEvents(tx: Transaction, ids: FileIds): Promise<void> {
  // Citus cannot join these rows while it inserts them, so they are selected first.
  await tx.execute(sql`
    with unrecorded as materialized (${unrecordedEvents(ids)})
    insert into file_events (project_id, file_id, kind, at, size, etag, path, filename, actor) select * from unrecorded`);
}

function toColumns({ projectId, id, path, filename }: FileRow) {
  return { projectId, fileId: id, path, filename };
}

/**
 * The events that follow from the files' own rows (requested, stored, expired) and are not in `file_events` yet. They are derived
 * and not written, so an ordinary upload costs nothing for its history.
 */
export function unrecordedEvents({ projectId, fileIds }: FileIds): SQL {
  return sql`
    select f.project_id, f.id as file_id, derived.kind::file_event_kind as kind, derived.at, derived.size, derived.etag,
           f.path, f.filename, 'customer' as actor
    from files f cross join lateral (values
      ('asked', f.created_at, f.declared_size, null),
      ('stored', f.stored_at, f.size, f.etag),
      ('expired', case when f.status = 'expired' then f.url_expires_at end, null, null)
    ) as derived (kind, at, size, etag)
    where f.project_id = ${projectId} and ${inArray(sql`f.id`, fileIds)} and derived.at is not null
      and not exists (
        select from file_events e where e.project_id = ${projectId} and e.file_id = f.id
          and (e.kind::text = derived.kind and e.at = derived.at or e.kind = 'lost' and derived.kind = 'expired'))`;
}

/**
 * Deletes the histories of files that were deleted more than 90 days ago, one batch per call.
 *
 * @returns whether there may be more to delete
 * @throws {StowageError} `unavailable`
 */
export async function deleteExpiredEvents(deps: { db: Queries; clock: () => Date }): Promise<boolean> {
  const expired = await deps.db.execute<ExpiredEvent>(FIND_EXPIRED, [deps.clock().toISOString()]);
  for (const [projectId, events] of groupBy(expired, ({ projectId }) => projectId)) {
    await deps.db.execute(DELETE_EVENTS, [projectId, JSON.stringify(events)]);
  }
  return expired.length === DELETE_BATCH_SIZE;
}

interface ExpiredEvent {
  projectId: number;
  file: number;
  id: number;
}

const FIND_EXPIRED = `
select project_id as "projectId", file_id as file, id from file_events
where forget_at <= $1::timestamptz order by forget_at limit ${DELETE_BATCH_SIZE}`;

/** Deletes events of one project, because Citus deletes chosen rows only on one shard. */
const DELETE_EVENTS = `
delete from file_events where project_id = $1::bigint and (file_id, id) in (
  select file, id from json_to_recordset($2::text::json) as event (file bigint, id bigint))`;
