import type { Queries } from "#db/client.js";
import { columnsOf, rowReader } from "#db/row-text.js";
import { files } from "#db/schema/index.js";

/** A path as its project's ref and the whole key, which is Unicode without halves of pairs: PostgreSQL takes no others in JSON. */
export interface AskedPath {
  ref: string;
  path: string;
}

/** What the service has at a path: a file, as its whole row, or the tombstone of one. */
export interface AtPath {
  projectId: number;
  path: string;
  file: typeof files.$inferSelect | null;
}

/*
 * In text, and so prepared: storage tells of every upload. The first project, file and tombstone at or after what is asked for, since
 * only the right index has them in this order: see find-file.ts.
 */
const FIND = `
select p.id as project, asked.path as asked_path, ${columnsOf(files, "f")}
from json_to_recordset($1::text::json) as asked (ref text, path text)
cross join lateral (select id, ref from projects where ref >= asked.ref order by ref limit 1) p
left join lateral (
  select * from files where project_id = p.id and path >= asked.path order by path limit 1) f on f.path = asked.path
left join lateral (
  select path from tombstones where project_id = p.id and path >= asked.path order by path limit 1) t on t.path = asked.path
where p.ref = asked.ref and (f.id is not null or t.path is not null)`;

const fileOf = rowReader(files);

/**
 * Of some paths those that are, or were, a file's.
 *
 * @throws {StowageError} `unavailable`
 */
export async function findAtPaths(deps: { db: Queries }, asked: AskedPath[]): Promise<AtPath[]> {
  if (asked.length === 0) return [];
  const rows = await deps.db.execute<{ project: number; asked_path: string; id: unknown }>(FIND, [
    JSON.stringify(asked),
  ]);
  return rows.map((row) => ({
    projectId: row.project,
    path: row.asked_path,
    file: row.id === null ? null : fileOf(row),
  }));
}
