import type { Queries } from "#db/client.js";
import { columnList, createRowParser } from "#db/raw-rows.js";
import { files } from "#db/schema/index.js";

/** The path must not contain unpaired surrogates: PostgreSQL accepts none in JSON. */
export interface PathLookup {
  /** The ref of the project, which is part of the path. */
  ref: string;
  path: string;
}

/** The record that the service has for a path: a file, with its whole row, or the tombstone of a deleted file. */
export interface PathRecord {
  projectId: number;
  path: string;
  /** Null for a tombstone. */
  file: typeof files.$inferSelect | null;
}

/*
 * A prepared statement, because storage sends an event for every upload. It asks for the first project, file and tombstone at or
 * after the requested value, because only the right index has them in that order: see files/find-file.ts.
 */
const FIND = `
select p.id as project, lookup.path as lookup_path, ${columnList(files, "f")}
from json_to_recordset($1::text::json) as lookup (ref text, path text)
cross join lateral (select id, ref from projects where ref >= lookup.ref order by ref limit 1) p
left join lateral (
  select * from files where project_id = p.id and path >= lookup.path order by path limit 1) f on f.path = lookup.path
left join lateral (
  select path from tombstones where project_id = p.id and path >= lookup.path order by path limit 1) t on t.path = lookup.path
where p.ref = lookup.ref and (f.id is not null or t.path is not null)`;

const parseFile = createRowParser(files);

/**
 * Finds the files and tombstones at some paths. Paths without either are left out.
 *
 * @throws {StowageError} `unavailable`
 */
export async function findRecordsByPath(deps: { db: Queries }, lookups: PathLookup[]): Promise<PathRecord[]> {
  if (lookups.length === 0) return [];
  const rows = await deps.db.execute<{ project: number; lookup_path: string; id: unknown }>(FIND, [
    JSON.stringify(lookups),
  ]);
  return rows.map((row) => ({
    projectId: row.project,
    path: row.lookup_path,
    file: row.id === null ? null : parseFile(row),
  }));
}
