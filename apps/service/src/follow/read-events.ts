import { type CountLimits, type FollowedEvent, type FollowEventsQuery, StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import { addMs, DAY_MS, HOUR_MS, SECOND_MS } from "#lib/time.js";
import type { Project } from "#projects/find-project.js";
import { fanOutProject } from "#webhooks/fan-out-events.js";
import { type OutboxEvent, toWireEvent } from "#webhooks/render-event.js";
import type { EventWaits } from "./event-waits.js";

export interface ReadEventsDeps {
  db: Queries;
  clock: () => Date;
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
}

/** How a call waits for events. */
export interface EventWaiting {
  waits: Pick<EventWaits, "wait">;
  /** Ends the waiting, and the call answers what there is. */
  signal: AbortSignal;
  /** Is called after a wait. It throws if the API key was replaced meanwhile. */
  confirm: () => Promise<unknown>;
}

export interface EventsPage {
  events: FollowedEvent[];
  nextCursor: string;
}

/**
 * Reads the events of a project that are in its log after a cursor (docs/decisions/0073). The first call starts the log.
 *
 * @param waiting how it waits for `input.wait` seconds if there is no event. @default it answers at once
 * @throws {StowageError} `invalid_request` for a cursor that no log or the log of another project made; `cursor_expired` if events after
 * it were deleted for their age; `too_many_requests` if too many calls of the project wait already; `unavailable`
 */
export async function readEvents(
  deps: ReadEventsDeps,
  project: Project,
  input: FollowEventsQuery,
  waiting?: EventWaiting,
): Promise<EventsPage> {
  const list = `events of ${project.ref}`;
  const after = input.after === undefined ? null : readCursor(list, ["number"], input.after)[0];
  const until = deps.clock().getTime() + input.wait * SECOND_MS;
  let place = after;
  for (;;) {
    const mayHaveMore = await numberEvents(deps, project);
    const page = await readPage(deps, project, { ...input, after: place });
    place = page.end;
    const waitMs = until - deps.clock().getTime();
    const answer = { events: page.rows.map(toEvent), nextCursor: writeCursor(list, [page.end]) };
    if (!waiting || page.rows.length > 0 || waitMs <= 0 || waiting.signal.aborted) return answer;
    // It has read only a part of the log, which had no event of these types, or only a part of what happened before the log began.
    if (page.isPart || mayHaveMore) continue;
    const { waits, signal } = waiting;
    const hasMore = await waits.wait(project.id, { seen: page.newest, waitMs, signal });
    await waiting.confirm();
    if (!hasMore) return answer;
  }

  function toEvent(row: EventRow): FollowedEvent {
    const { defaultQuotaBytes, defaultLimits } = deps;
    const event = { ...row, at: new Date(row.at) };
    return toWireEvent(event, { projectRef: project.ref, defaultQuotaBytes, defaultLimits });
  }
}

/** How far back the first call looks. The events that it writes are kept for 30 days from then on. */
const BACKFILL_MS = 30 * DAY_MS;
const CALLS_OF_BACKFILL = 10;

/**
 * Gives each committed event without a position the next position in the log. Starts the log at the first read.
 *
 * @returns whether there may be more
 * @throws {StowageError} `unavailable`
 */
async function numberEvents({ db, clock }: ReadEventsDeps, { id }: Project): Promise<boolean> {
  const now = clock();
  const readAt = async () => (await db.execute<LogState>(READ_STATE, [id]))[0];
  let log = await readAt();
  if (log?.readAt == null || Date.parse(log.readAt) <= now.getTime() - HOUR_MS) {
    await db.execute(TOUCH, [id, now.toISOString()]);
    log = await readAt();
  }
  let mayHaveMore = log!.isBackfilling;
  const since = addMs(now, -BACKFILL_MS).toISOString();
  for (let call = 0; mayHaveMore && call < CALLS_OF_BACKFILL; call++)
    mayHaveMore = (await db.execute<{ mayHaveMore: boolean }>(BACKFILL, [id, since]))[0]!.mayHaveMore;
  if (!log!.isBackfilling && !log!.hasUnnumbered) return false;
  return (await fanOutProject(db, id)) || mayHaveMore;
}

interface LogState {
  readAt: string | null;
  isBackfilling: boolean;
  hasUnnumbered: boolean;
}

const READ_STATE = `
select l.read_at::text as "readAt", l.backfill_step is not null as "isBackfilling",
       exists (select from webhook_outbox o where o.project_id = $1::bigint) as "hasUnnumbered"
from event_logs l where l.project_id = $1::bigint`;

/* It is written once an hour, so that readers do not wait for each other. */
const TOUCH = `
insert into event_logs as kept (project_id, read_at, backfill_step) values ($1::bigint, $2::timestamptz, 1)
on conflict (project_id) do update set
  read_at = excluded.read_at,
  backfill_step = case when kept.read_at is null then 1 else kept.backfill_step end,
  backfilled_to = case when kept.read_at is null then 0 else kept.backfilled_to end
where kept.read_at is null or kept.read_at < excluded.read_at`;

const BACKFILL = `select may_have_more as "mayHaveMore" from backfill_events($1::bigint, $2::timestamptz) as may_have_more`;

interface EventRow extends Omit<OutboxEvent, "at"> {
  at: string;
}

interface Page {
  rows: EventRow[];
  /** The position after which the next page begins. */
  end: number;
  /** Whether the log goes on after `end`. */
  isPart: boolean;
  /** The position of the newest event of the log. */
  newest: number;
}

/** Events that one page looks at, to find those of the types that are wanted. */
const WINDOW = 2000;

async function readPage(
  { db }: ReadEventsDeps,
  { id }: Project,
  { after, types, limit }: Pick<FollowEventsQuery, "types" | "limit"> & { after: number | null },
): Promise<Page> {
  const rows = await db.execute<PageRow>(READ_PAGE, [
    id,
    after,
    types ? JSON.stringify(types) : null,
    limit,
    types ? Math.max(limit, WINDOW) : limit,
  ]);
  const { start, deletedTo, newest, windowEnd } = rows[0]!;
  if (start < deletedTo) throw new StowageError("cursor_expired");
  const found = rows.filter((row): row is PageRow & EventRow => row.id !== null);
  const isFull = found.length === limit;
  const end = isFull ? found.at(-1)!.position! : (windowEnd ?? start);
  return { rows: found, end, isPart: end < newest, newest };
}

interface PageRow {
  start: number;
  deletedTo: number;
  newest: number;
  /** The position of the last event that this page looked at; null without any. */
  windowEnd: number | null;
  id: string | null;
  position: number | null;
}

/* One statement, and so one snapshot: what it does not see because it was deleted is covered by `deleted_to`. */
const READ_PAGE = `
with place as materialized (
  select coalesce($2::bigint, l.deleted_to) as start, l.deleted_to, l.last_position from event_logs l where l.project_id = $1::bigint),
part as materialized (
  select e.position, e.id, e.type, e.at, e.data from webhook_events e
  where e.project_id = $1::bigint and e.position > (select start from place) order by e.position limit $5::integer)
select p.start, p.deleted_to as "deletedTo", p.last_position as newest,
       (select max(position) from part) as "windowEnd",
       e.position, e.id, e.type, e.at::text, e.data
from place p left join (
  select * from part where $3::text is null or type in (select json_array_elements_text($3::json)) order by position limit $4::integer
) e on true order by e.position`;
