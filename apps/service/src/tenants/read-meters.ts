import {
  type CamelKeys,
  type DailyMeters,
  limits,
  type MetersQuery,
  type MonthlyMeters,
  StowageError,
} from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { addMs, DAY_MS, SECOND_MS, toUtcDay } from "#lib/time.js";
import type { Project } from "#projects/find-project.js";

/*
 * Meters for billing (docs/decisions/0077). The integral of a day is the usage at its start over the whole day, plus what the changes
 * of the day add, which `add_daily_usage` has summed. So a day without a change has no row, and costs nothing until it is read.
 */

type ReadMetersDeps = { db: Queries; clock: () => Date };
type Query = Omit<MetersQuery, "format">;
type Day = CamelKeys<DailyMeters>;
type Month = CamelKeys<MonthlyMeters>;

/**
 * Reads the meters of a tenant, or of the whole project, for each day of the query until today, oldest first.
 *
 * @throws {StowageError} `tenant_not_found`; `invalid_request` for days that end before they begin, or more than 366; `unavailable`
 */
export async function readDailyUsage(deps: ReadMetersDeps, project: Project, query: Query): Promise<Day[]> {
  const { tenantId } = query;
  const { db } = deps;
  const now = deps.clock();
  const { from, to } = rangeOf(query, toUtcDay(now));
  if (tenantId === undefined) {
    const changes = await db.execute<Changes>(SUM_PROJECT, [project.id, from, to]);
    return [...integrate(changes, { from, to }, now)];
  }
  const changes = await db.execute<Changes>(SUM_TENANT, [project.id, from, to, tenantId]);
  if (changes.length === 0) throw new StowageError("tenant_not_found");
  const loggedDays = await readLoggedDays(deps, project, { from, to });
  return [...integrate(changes, { from, to }, now)].map((day) =>
    loggedDays.has(day.day) ? { ...day, bytesDelivered: day.bytesDelivered ?? 0 } : day,
  );
}

/** Reads the days of which a log was imported that has a download of the project. A tenant without any has 0 bytes then. */
export async function readLoggedDays(
  { db }: Pick<ReadMetersDeps, "db">,
  project: Project,
  { from, to }: Range,
): Promise<Set<string>> {
  const logged = await db.execute<{ day: string }>(LOGGED_DAYS, [project.id, from, to]);
  return new Set(logged.map(({ day }) => day));
}

/** Sums {@link readDailyUsage} by month. @throws {StowageError} the same */
export async function readMonthlyUsage(
  deps: ReadMetersDeps,
  project: Project,
  query: Query,
): Promise<Month[]> {
  const months = new Map<string, Month>();
  for (const { day, ...meters } of await readDailyUsage(deps, project, query)) {
    const month = day.slice(0, "2026-01".length);
    const before = months.get(month);
    months.set(month, {
      month,
      ...meters,
      ...(before && {
        byteSeconds: String(BigInt(before.byteSeconds) + BigInt(meters.byteSeconds)),
        peakBytes: Math.max(before.peakBytes, meters.peakBytes),
        uploads: before.uploads + meters.uploads,
        downloadsSigned: before.downloadsSigned + meters.downloadsSigned,
        bytesSigned: before.bytesSigned + meters.bytesSigned,
        bytesDelivered: sumOfKnown(before.bytesDelivered, meters.bytesDelivered),
      }),
    });
  }
  return [...months.values()];
}

function sumOfKnown(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0);
}

interface Range {
  from: string;
  to: string;
}

function rangeOf({ from, to }: Query, today: string): Range {
  const last = to ?? today;
  const first = from ?? `${last.slice(0, -2)}01`;
  const refuse = (detail: string) => new StowageError("invalid_request", { detail });
  if (first > last) throw refuse("from must not be after to");
  if (Date.parse(last) - Date.parse(first) >= limits.meterDays * DAY_MS)
    throw refuse(`from and to must be at most ${limits.meterDays} days`);
  return { from: first, to: last < today ? last : today };
}

/** The sums over one day, or over all days before the range. Numbers are texts. */
interface Changes {
  /** Null for the days before. */
  day: string | null;
  uploads: string;
  /** How many more files. */
  files: string;
  /** How many more bytes. */
  growth: string;
  peakGrowth: string;
  byteMs: string;
  downloadsSigned: string;
  bytesSigned: string;
  /** Null if no log had a download. */
  bytesDelivered: string | null;
}

const SUMS = `
select case when u.day >= $2::date then u.day::text end as day,
       coalesce(sum(u.uploads), 0)::text as uploads,
       coalesce(sum(u.uploads - u.deleted_files), 0)::text as files,
       coalesce(sum(u.uploaded_bytes - u.deleted_bytes), 0)::text as growth,
       coalesce(sum(u.peak_growth_bytes), 0)::text as "peakGrowth",
       coalesce(sum(u.byte_ms), 0)::text as "byteMs",
       coalesce(sum(u.downloads_signed), 0)::text as "downloadsSigned",
       coalesce(sum(u.bytes_signed), 0)::text as "bytesSigned",
       sum(u.bytes_delivered)::text as "bytesDelivered"`;

/** A tenant that has no days has one row. */
const SUM_TENANT = `${SUMS}
from tenants t
left join usage_daily u on u.project_id = t.project_id and u.tenant = t.id and u.day <= $3::date
where t.project_id = $1::bigint and t.tenant_id = $4::text group by 1`;

/**
 * The 16 slots of a day seldom reach their peaks together, so the sum of their peaks is an upper bound for the project. An exact one would
 * need one row of the project, for which all its uploads would wait.
 */
const SUM_PROJECT = `${SUMS}
from project_usage_daily u where u.project_id = $1::bigint and u.day <= $3::date group by 1`;

const LOGGED_DAYS = `
select distinct day::text as day from project_usage_daily
where project_id = $1::bigint and day between $2::date and $3::date and bytes_delivered is not null`;

function* integrate(changes: Changes[], { from, to }: Range, now: Date): Generator<Day> {
  const byDay = new Map(changes.map((row) => [row.day, row]));
  let usedBytes = Number(byDay.get(null)?.growth ?? 0);
  let fileCount = Number(byDay.get(null)?.files ?? 0);
  for (let start = new Date(from); toUtcDay(start) <= to; start = addMs(start, DAY_MS)) {
    const day = toUtcDay(start);
    const row = byDay.get(day);
    const growth = Number(row?.growth ?? 0);
    const passedMs = Math.min(DAY_MS, now.getTime() - start.getTime());
    // The changes were summed until the end of the day.
    const byteMs =
      BigInt(usedBytes) * BigInt(passedMs) +
      BigInt(row?.byteMs ?? 0) -
      BigInt(growth) * BigInt(DAY_MS - passedMs);
    const peakBytes = usedBytes + Math.max(0, growth, Number(row?.peakGrowth ?? 0));
    usedBytes += growth;
    fileCount += Number(row?.files ?? 0);
    yield {
      day,
      // Below 0 only if a replica whose clock is behind has deleted what another one had stored a moment before.
      byteSeconds: String(byteMs > 0n ? byteMs / BigInt(SECOND_MS) : 0n),
      peakBytes,
      fileCount,
      uploads: Number(row?.uploads ?? 0),
      downloadsSigned: Number(row?.downloadsSigned ?? 0),
      bytesSigned: Number(row?.bytesSigned ?? 0),
      bytesDelivered: typeof row?.bytesDelivered === "string" ? Number(row.bytesDelivered) : null,
    };
  }
}
