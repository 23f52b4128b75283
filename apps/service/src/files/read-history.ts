import { StowageError } from "@stowage/schemas";
import type { FileInput } from "@stowage/schemas/dashboard";
import { sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import type { fileEvents } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { untoldEvents } from "./note-events.js";

export type FileEventKind = (typeof fileEvents.$inferSelect)["kind"];

/** Something that happened to a file. */
export interface FileEvent {
  at: string;
  /**
   * `asked` for its upload · `stored` · `replayed`: other bytes came in its place · `expired`: its upload never came · `lost`: it
   * had vanished from storage · `deleted`
   */
  kind: FileEventKind;
  /** As announced where it was asked for, as stored elsewhere; null where there was none. */
  sizeBytes: number | null;
  /** Who did it: an operator's e-mail address, `customer` for its backend and its users, or `service`. */
  by: string;
}

export interface FileHistory {
  path: string;
  filename: string;
  /** The oldest first. */
  events: FileEvent[];
}

/**
 * What happened to a file; for 90 days also to one that was deleted.
 *
 * @throws {StowageError} `file_not_found` for one that never was, or is forgotten; `unavailable`
 */
export async function readHistory(
  deps: { db: Queries },
  project: Project,
  { fileId }: FileInput,
): Promise<FileHistory> {
  const untold = untoldEvents({ projectId: project.id, fileIds: [fileId] });
  type Row = Omit<FileEvent, "at"> & { atMs: number; path: string; filename: string };
  const rows = await deps.db.run((db) =>
    db.execute<Row & Record<string, unknown>>(sql`
      select (extract(epoch from at) * 1000)::bigint as "atMs", kind, size as "sizeBytes", actor as "by", path, filename
      from (select at, kind, size, actor, path, filename, id
            from file_events where project_id = ${project.id} and file_id = ${fileId}
            union all
            select at, kind, size, actor, path, filename, 0 as id from (${untold}) untold) events
      order by at, kind = 'asked' desc, id`),
  );
  const [first] = rows;
  if (!first) throw new StowageError("file_not_found");
  return {
    path: first.path,
    filename: first.filename,
    events: rows.map(({ atMs, kind, sizeBytes, by }) => ({
      at: new Date(atMs).toISOString(),
      kind,
      sizeBytes,
      by,
    })),
  };
}
