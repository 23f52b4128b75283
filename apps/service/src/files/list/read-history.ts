import { StowageError } from "@stowage/schemas";
import type { FileInput } from "@stowage/operator-schemas";
import { sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import type { fileEvents } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { unrecordedEvents } from "#files/record/file-events.js";

export type FileEventKind = (typeof fileEvents.$inferSelect)["kind"];

/** One event in the history of a file. */
export interface FileEvent {
  at: string;
  /**
   * - `asked`: a client requested the upload
   * - `stored`: the bytes arrived in storage
   * - `replayed`: a client used the upload URL again, and other bytes replaced the stored ones
   * - `expired`: the bytes did not arrive before the upload URL expired
   * - `lost`: the stored object disappeared from storage
   * - `trashed`: the file was deleted, and moved to the trash
   * - `restored`: the file was restored from the trash
   * - `held`, `released`: the file was put on hold, or released
   * - `updated`: the file got another name or other metadata
   * - `deleted`: the file was deleted for good
   */
  kind: FileEventKind;
  /**
   * The declared size for `asked`, the stored size for all kinds except `expired` and `lost`. Null for these, and if the
   * size was not known.
   */
  sizeBytes: number | null;
  /**
   * Who caused the event: an operator's e-mail address, `customer` for the customer's backend or its users, `service`, or `quota` for
   * the service, if the bytes did not fit the quota.
   */
  by: string;
}

export interface FileHistory {
  path: string;
  filename: string;
  /** Oldest first. */
  events: FileEvent[];
}

/**
 * Reads the history of a file. The service keeps the history of a deleted file for 90 days after the deletion.
 *
 * @throws {StowageError} `file_not_found` for an unknown file or a file whose history was deleted, `unavailable`
 */
export async function readHistory(
  deps: { db: Queries },
  project: Project,
  { fileId }: FileInput,
): Promise<FileHistory> {
  // `file_events` does not contain the events that follow from the row of the file in `files`.
  const unrecorded = unrecordedEvents({ projectId: project.id, fileIds: [fileId] });
  type Row = Omit<FileEvent, "at"> & { atMs: number; path: string; filename: string };
  const rows = await deps.db.run((db) =>
    db.execute<Row & Record<string, unknown>>(sql`
      select (extract(epoch from at) * 1000)::bigint as "atMs", kind, size as "sizeBytes", actor as "by", path, filename
      from (select at, kind, size, actor, path, filename, id
            from file_events where project_id = ${project.id} and file_id = ${fileId}
            union all
            select at, kind, size, actor, path, filename, 0 as id from (${unrecorded}) unrecorded) events
      order by at, kind = 'asked' desc, id`),
  );
  const latest = rows.at(-1);
  if (!latest) throw new StowageError("file_not_found");
  return {
    path: latest.path,
    filename: latest.filename,
    events: rows.map(({ atMs, kind, sizeBytes, by }) => ({
      at: new Date(atMs).toISOString(),
      kind,
      sizeBytes,
      by,
    })),
  };
}
