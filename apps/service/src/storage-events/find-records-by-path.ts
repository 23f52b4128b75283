import type { Queries } from "#db/client.js";
import { columnList, createRowParser } from "#db/raw-rows.js";
import { files } from "#db/schema/index.js";
import { groupBy } from "#lib/group-by.js";

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

/* Prepared statements, because storage sends an event for every upload. */
const FIND_PROJECTS = `
select project.id, project.ref
from json_array_elements_text($1::text::json) as lookup (ref)
cross join lateral (select id, ref from projects where ref >= lookup.ref order by ref limit 1) project
where project.ref = lookup.ref`;

/*
 * It names one project, so that Citus runs it on the node of that project. It asks for the first file and the first tombstone at or
 * after the requested path, because only the right index has them in that order: see files/record/find-file.ts.
 */
const FIND_RECORDS = `
select lookup.path as lookup_path, ${columnList(files, "f")}
from json_array_elements_text($2::text::json) as lookup (path)
left join lateral (
  select * from files where project_id = $1::bigint and path >= lookup.path order by path limit 1) f on f.path = lookup.path
left join lateral (
  select path from tombstones where project_id = $1::bigint and path >= lookup.path order by path limit 1) t
  on t.path = lookup.path
where f.id is not null or t.path is not null`;

const parseFile = createRowParser(files);

/**
 * Finds the files and tombstones at some paths. Paths without either are left out.
 *
 * @throws {StowageError} `unavailable`
 */
export async function findRecordsByPath(deps: { db: Queries }, lookups: PathLookup[]): Promise<PathRecord[]> {
  if (lookups.length === 0) return [];
  const byRef = groupBy(lookups, ({ ref }) => ref);
  const projects = await deps.db.execute<{ id: number; ref: string }>(FIND_PROJECTS, [
    JSON.stringify([...byRef.keys()]),
  ]);
  const found = await Promise.all(
    projects.map(async ({ id: projectId, ref }) => {
      const paths = byRef.get(ref)!.map(({ path }) => path);
      const rows = await deps.db.execute<{ lookup_path: string; id: unknown }>(FIND_RECORDS, [
        projectId,
        JSON.stringify(paths),
      ]);
      return rows.map((row) => ({
        projectId,
        path: row.lookup_path,
        file: row.id === null ? null : parseFile(row),
      }));
    }),
  );
  return found.flat();
}
