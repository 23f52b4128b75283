import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { fileEvents, files } from "#db/schema/index.js";

/** Files of one project. */
export interface EventsOf {
  projectId: number;
  fileIds: number[];
}

const FORGET_AFTER_MS = 90 * 24 * 3600 * 1000;

/**
 * What the rows of files tell of them, less what is noted already: when they were asked for, stored, or given up. So an
 * upload that goes its usual way costs its history nothing.
 */
export function untoldEvents({ projectId, fileIds }: EventsOf): SQL {
  return sql`
    select f.project_id, f.id as file_id, told.kind::file_event_kind as kind, told.at, told.size, told.etag,
           f.path, f.filename, 'customer' as actor
    from files f cross join lateral (values
      ('asked', f.created_at, f.declared_size, null),
      ('stored', f.stored_at, f.size, f.etag),
      ('expired', case when f.status = 'expired' then f.url_expires_at end, null, null)
    ) as told (kind, at, size, etag)
    where f.project_id = ${projectId} and ${inArray(sql`f.id`, fileIds)} and told.at is not null
      and not exists (
        select from file_events e where e.project_id = f.project_id and e.file_id = f.id
          and (e.kind::text = told.kind and e.at = told.at or e.kind = 'lost' and told.kind = 'expired'))`;
}

/** In the transaction that records it, before it does: other bytes came in the place of a stored file's. */
export async function noteReplay(
  tx: Transaction,
  file: typeof files.$inferSelect,
  replay: { at: Date; size: number; etag: string },
): Promise<void> {
  await keepUntold(tx, { projectId: file.projectId, fileIds: [file.id] });
  await tx.insert(fileEvents).values({ ...nameOf(file), kind: "replayed", actor: "customer", ...replay });
}

/** In the transaction that records it, before it does: a stored file's object has vanished from storage. */
export async function noteLoss(tx: Transaction, file: typeof files.$inferSelect, at: Date): Promise<void> {
  await keepUntold(tx, { projectId: file.projectId, fileIds: [file.id] });
  await tx.insert(fileEvents).values({ ...nameOf(file), kind: "lost", actor: "service", at });
}

/** In the transaction that deletes the files, before it does: from now on their history is all that is left, for 90 days. */
export async function noteDeletes(
  tx: Transaction,
  of: EventsOf,
  { at, actor }: { at: Date; actor: string },
): Promise<void> {
  await keepUntold(tx, of);
  const isOf = inArray(files.id, of.fileIds);
  await tx.execute(sql`
    insert into file_events (project_id, file_id, kind, at, size, etag, path, filename, actor)
    select project_id, id, 'deleted', ${at.toISOString()}::timestamptz, size, etag, path, filename, ${actor}
    from ${files} where ${and(eq(files.projectId, of.projectId), isOf)}`);
  await tx
    .update(fileEvents)
    .set({ forgetAt: new Date(at.getTime() + FORGET_AFTER_MS) })
    .where(and(eq(fileEvents.projectId, of.projectId), inArray(fileEvents.fileId, of.fileIds)));
}

async function keepUntold(tx: Transaction, of: EventsOf): Promise<void> {
  await tx.execute(sql`
    insert into file_events (project_id, file_id, kind, at, size, etag, path, filename, actor) ${untoldEvents(of)}`);
}

function nameOf({ projectId, id, path, filename }: typeof files.$inferSelect) {
  return { projectId, fileId: id, path, filename };
}
