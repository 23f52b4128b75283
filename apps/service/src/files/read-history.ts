import { StowageError } from "@stowage/schemas";
import type { FileInput } from "@stowage/schemas/dashboard";
import { sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import type { fileEvents } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { unrecordedEvents } from "./file-events.js";

export type FileEventKind = (typeof fileEvents.$inferSelect)["kind"];

/** One event in the history of a file. */
export interface FileEvent {
  at: string;
  /**
   * `asked`: an upload was requested · `stored` · `replayed`: other bytes replaced it · `expired`: the bytes did not arrive in
   * time · `lost`: its object disappeared from storage · `deleted`
   */
  kind: FileEventKind;
  /** The declared size for `asked`, the stored size for the others; null if there was none. */
  sizeBytes: number | null;
  /** Who caused it: an operator's e-mail address, `customer` for its backend and its users, or `service`. */
  by: string;
}

export interface FileHistory {
  path: string;
  filename: string;
  /** Oldest first. */
  events: FileEvent[];
}

/**
 * Reads the history of a file. The history of a deleted file is kept for 90 days.
 *
 * @throws {StowageError} `file_not_found` for an unknown file, or if its history is no longer kept; `unavailable`
 */
export async function readHistory(
  deps: { db: Queries },
  project: Project,
  { fileId }: FileInput,
): Promise<FileHistory> {
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
