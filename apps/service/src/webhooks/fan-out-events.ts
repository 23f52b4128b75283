import type { Queries } from "#db/client.js";
import { forEachBounded } from "#lib/for-each-bounded.js";

export interface FanOutDeps {
  db: Queries;
  /** Called with the error of one project. Its events stay in the outbox. */
  onError: (error: unknown) => void;
}

/** Rows of the outbox, and projects, that one search reads. */
const MAX_FOUND = 1000;
/** The search is only for projects that have something to do, so few of them wait. */
const PROJECTS_AT_ONCE = 4;
/** A project that emits more in a second continues in the next run, so that it does not delay others for long. */
const CALLS_PER_PROJECT = 10;

/**
 * Moves the events of all projects from the outbox into deliveries (docs/decisions/0033). Replicas may do so at the same time.
 *
 * @returns whether there may be more
 * @throws {StowageError} `unavailable` if the search fails
 */
export async function fanOutEvents({ db, onError }: FanOutDeps): Promise<boolean> {
  const projectIds = await findProjects(db);
  let hasMore = projectIds.length === MAX_FOUND;
  await forEachBounded(projectIds, PROJECTS_AT_ONCE, async (projectId) => {
    // A project that fails, for example because its shard is down, does not delay the others.
    if (await fanOutProject(db, projectId).catch(onError)) hasMore = true;
  });
  return hasMore;
}

/**
 * Moves the events of one project, oldest first.
 *
 * @returns whether there may be more
 * @throws {StowageError} `unavailable`
 */
export async function fanOutProject(db: Queries, projectId: number): Promise<boolean> {
  for (let call = 0; call < CALLS_PER_PROJECT; call++) {
    const [row] = await db.execute<{ moved: number }>(FAN_OUT, [projectId]);
    if (row?.moved === 0) return false;
  }
  return true;
}

const FAN_OUT = `select moved from fan_out_events($1::bigint) as moved`;

/*
 * Usually the outbox has few rows, and they tell the projects. If it has many, most may be of one project. Then each project with an
 * endpoint is looked up.
 */
const FIND_ROWS = `select project_id as "projectId" from webhook_outbox limit ${MAX_FOUND}`;
const FIND_PROJECTS = `
select distinct w.project_id as "projectId" from webhook_endpoints w
where exists (select from webhook_outbox o where o.project_id = w.project_id) limit ${MAX_FOUND}`;

async function findProjects(db: Queries): Promise<number[]> {
  const rows = await db.execute<{ projectId: number }>(FIND_ROWS, []);
  const found = rows.length < MAX_FOUND ? rows : await db.execute<{ projectId: number }>(FIND_PROJECTS, []);
  return [...new Set(found.map(({ projectId }) => projectId))];
}
