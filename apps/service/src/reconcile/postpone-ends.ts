import type { Database } from "#db/client.js";
import { END_OF_FILE, ENDS_BY_ITSELF } from "#db/schema/conditions.js";
import type { Project } from "#projects/find-project.js";
import { addMs, DAY_MS } from "#lib/time.js";
import type { EndDrift } from "./drift.js";

/** Long enough for customers to set their holds again. */
const GRACE_MS = 7 * DAY_MS;
const FILES_PER_PAGE = 1000;

interface PostponeDeps {
  db: Database;
  clock: () => Date;
}

/**
 * Finds the files that the service would delete within a day: their expiry or their time in the trash is over or almost over.
 *
 * @throws {StowageError} `unavailable`
 */
export async function* findEnding(deps: PostponeDeps, projects: Project[]): AsyncGenerator<EndDrift> {
  const until = addMs(deps.clock(), DAY_MS).toISOString();
  for (const project of projects) {
    for (let after = 0; ;) {
      const rows = await deps.db.execute<{ id: number; path: string; endsAt: string }>(FIND, [
        project.id,
        until,
        after,
      ]);
      for (const { path, endsAt } of rows)
        yield { kind: "ending", projectRef: project.ref, path, endsAt: new Date(endsAt) };
      if (rows.length < FILES_PER_PAGE) break;
      after = rows.at(-1)!.id;
    }
  }
}

/** Gives a file a week more. A repetition changes nothing, because the file no longer ends within a day. */
export async function postponeEnd(deps: PostponeDeps, project: Project, path: string): Promise<void> {
  const now = deps.clock();
  await deps.db.execute(POSTPONE, [
    project.id,
    path,
    addMs(now, DAY_MS).toISOString(),
    addMs(now, GRACE_MS).toISOString(),
  ]);
}

const FIND = `
select id, path, ${END_OF_FILE} as "endsAt" from files
where project_id = $1::bigint and ${END_OF_FILE} <= $2::timestamptz and id > $3::bigint and ${ENDS_BY_ITSELF}
order by id limit ${FILES_PER_PAGE}`;

const POSTPONE = `
update files set
  expires_at = case when purge_at is null then $4::timestamptz else expires_at end,
  purge_at = case when purge_at is not null then $4::timestamptz end,
  revision = revision + 1
where project_id = $1::bigint and path = $2::text and ${END_OF_FILE} <= $3::timestamptz and ${ENDS_BY_ITSELF}`;
