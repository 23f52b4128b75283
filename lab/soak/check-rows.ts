import type { Sql } from "postgres";
import { untilNone } from "./check-files.js";
import { FOLDERS } from "./folder-operations.js";
import type { LoadState } from "./load-state.js";

/** What the load and the faults have caused, from which the bounds of the tables follow. */
export interface Causes {
  minutes: number;
  starts: number;
  webhookRequests: number;
  files: number;
  changes: number;
  uploadRequests: number;
  mayHaveMade: LoadState["mayHaveMade"];
}

const PROJECTS = 3;
const TENANTS = 8 * PROJECTS;
const FOLDERS_OF_TENANT = FOLDERS.length - 1;
const DAYS = 2;
const REFUSAL_CODES = 30;
/** The clocks of replicas count into minutes that they think it is. */
const CLOCK_MINUTES = 6;

/** How many rows each table may have after a soak. The tables that are missing must be empty. */
const rowBounds = (causes: Causes): Record<string, number> => ({
  files: causes.files,
  tenants: TENANTS,
  projects: PROJECTS,
  installation: 20,
  usage_daily: TENANTS * DAYS,
  project_usage_daily: TENANTS * 2 * DAYS,
  refusals_daily: PROJECTS * DAYS * REFUSAL_CODES,
  refused_requests: PROJECTS * 500,
  // Kept for a day after each start: a killed replica cannot remove its row.
  replicas: causes.starts,
  request_minutes: causes.minutes + CLOCK_MINUTES,
  // Kept for a day, for 25 hours, for 90 days and for 30 days: see the check that they end.
  idempotency_keys: causes.uploadRequests,
  tombstones: causes.files,
  file_events: 3 * (causes.changes + causes.files),
  // The log has events of tenants and their quotas too.
  webhook_events: TENANTS + 2 * (causes.changes + causes.files + causes.uploadRequests),
  webhook_deliveries: causes.changes + causes.files,
  // A try whose connection broke has a row too, but did not reach the receiver.
  webhook_attempts: 12 * causes.webhookRequests,
  webhook_endpoints: PROJECTS,
  event_logs: PROJECTS,
  image_presets: 1,
  file_variants: causes.files,
  folders: TENANTS * FOLDERS_OF_TENANT,
  ...causes.mayHaveMade,
});

export function causesOf(
  state: LoadState,
  more: Pick<Causes, "minutes" | "starts" | "webhookRequests">,
): Causes {
  const tries = [...state.files.values()].map(({ tried }) =>
    Object.values(tried).reduce((sum, count) => sum + count, 0),
  );
  return {
    ...more,
    files: state.files.size + state.unknownUploads,
    changes: tries.reduce((sum, count) => sum + count, 0),
    uploadRequests: state.uploadRequests,
    mayHaveMade: state.mayHaveMade,
  };
}

/** Counts the rows of every table. */
export async function countRows(sql: Sql): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from ${sql(name)}`;
    counts[name] = row!.count;
  }
  return counts;
}

export function findTooManyRows(rows: Record<string, number>, causes: Causes): string[] {
  const bounds = rowBounds(causes);
  return Object.entries(rows)
    .filter(([table, count]) => count > (bounds[table] ?? 0))
    .map(([table, count]) => `${table} has ${count} rows, at most ${bounds[table] ?? 0} are expected`);
}

/** The tables whose rows end with time. */
const ENDING = [
  "idempotency_keys",
  "tombstones",
  "file_events",
  "webhook_events",
  "webhook_deliveries",
  "webhook_attempts",
  "folder_jobs",
  "file_variants",
];

/**
 * Makes all rows old, as a hundred days do, and waits until the service has deleted those that end.
 *
 * @param restart starts a replica, because the job for retention runs at the start and then every hour
 */
export async function findKept(sql: Sql, restart: () => Promise<unknown>): Promise<string[]> {
  await sql`update files set expires_at = now() - interval '1 minute' where expires_at is not null and status = 'stored'`;
  const ended = await untilNone(() => {
    // A file that has ended goes into the trash first.
    return sql`
      with purged as (update files set purge_at = now() - interval '1 minute' where purge_at > now())
      select path from files where status in ('trashed', 'deleting') or (expires_at is not null and status = 'stored')`;
  });
  const waiting = await untilNone(() => sql`select 1 as row from webhook_outbox`);
  await sql`update webhook_deliveries set next_attempt_at = now() where next_attempt_at is not null`;
  await sql`update idempotency_keys set expires_at = now() - interval '1 hour'`;
  await sql`update file_events set forget_at = now() - interval '1 hour' where forget_at is not null`;
  await sql`update folder_jobs set ended_at = ended_at - interval '8 days'`;
  await sql`update webhook_events set at = at - interval '40 days'`;
  await restart();
  const kept = await untilNone(async () => {
    // A check that is running writes the next one by the time at which the tombstone ended before.
    await sql`
      update tombstones set until = now() - interval '1 hour', next_check_at = now()
      where until > now() - interval '1 hour' or next_check_at > now() + interval '20 seconds'`;
    const rows = await countRows(sql);
    // The history of a file that still exists stays.
    const [histories] = await sql<
      { count: number }[]
    >`select count(*)::int as count from file_events where forget_at is null`;
    rows["file_events"] = rows["file_events"]! - histories!.count;
    // So do the variants.
    await sql`update file_variants set due_at = now() where status = 'removing' and due_at > now() + interval '20 seconds'`;
    const [variants] = await sql<{ count: number }[]>`
      select count(*)::int as count from file_variants v
      where exists (select from files f where f.project_id = v.project_id and f.id = v.file_id)`;
    rows["file_variants"] = rows["file_variants"]! - variants!.count;
    return ENDING.filter((table) => rows[table]! > 0).map((table) => `${table} keeps ${rows[table]} rows`);
  });
  return [
    ...(ended.length > 0 ? ["files are left whose time is over"] : []),
    ...(waiting.length > 0 ? ["the outbox is not empty"] : []),
    ...kept,
  ];
}
