import { type WebhookDisabledReason, webhookDisabledReasons } from "@stowage/operator-schemas";
import { inTransaction, type Queries } from "#db/client.js";
import { countVariantTroubles } from "#images/list-variants.js";
import { type Backlog, type BacklogName, backlogNames, countFailingScans, readBacklog } from "./backlogs.js";
import { usesScanner } from "./check-readiness.js";
import { readSignals, type SignalName } from "#db/signals.js";

/** What the database knows about work that no request waits for. All replicas read the same. */
export interface Background {
  backlogs: Record<BacklogName, Backlog>;
  openUploads: { count: number; reservedBytes: number };
  disabledEndpoints: Record<WebhookDisabledReason, number>;
  failingScans: number;
  failingVariants: number;
  failedVariants: number;
  isScannerUsed: boolean;
  signals: Record<SignalName, string | null>;
}

/** More rows are not counted, so that a read costs little at any size of the tables. */
export const MAX_COUNTED = 10_000;
/** Open uploads and endpoints are counted in so many projects, those whose keys were used last. */
export const MAX_PROJECTS = 1000;
/** Of each statement. */
const STATEMENT_TIMEOUT_MS = 2000;

/** Reads it in one transaction, so it uses one connection. @throws {StowageError} `unavailable` */
export function readBackground(deps: { db: Queries; clock: () => Date }): Promise<Background> {
  return inTransaction(deps.db, async (db) => {
    await db.execute("select set_config('statement_timeout', $1, true)", [String(STATEMENT_TIMEOUT_MS)]);
    const dueUntil = deps.clock().toISOString();
    const backlogs: Partial<Background["backlogs"]> = {};
    for (const name of backlogNames) {
      backlogs[name] = await readBacklog(db, name, { dueUntil, maxCount: MAX_COUNTED });
    }
    const projectIds = await findBusyProjects(db);
    const variants = await countVariantTroubles(db, MAX_COUNTED);
    return {
      backlogs: backlogs as Background["backlogs"],
      openUploads: await sumOpenUploads(db, projectIds),
      disabledEndpoints: await countDisabledEndpoints(db, projectIds),
      failingScans: await countFailingScans(db, MAX_COUNTED),
      failingVariants: variants.failing,
      failedVariants: variants.failed,
      isScannerUsed: await usesScanner(db),
      signals: await readSignals(db),
    };
  });
}

/** Returns their ids as an array of PostgreSQL. */
async function findBusyProjects(db: Queries): Promise<string> {
  const rows = await db.execute<{ id: number }>(FIND_BUSY_PROJECTS, []);
  return `{${rows.map(({ id }) => id).join()}}`;
}

const FIND_BUSY_PROJECTS = `
select id from projects where deleted_at is null order by key_last_used_at desc nulls last limit ${MAX_PROJECTS}`;

/** The indexes start with project_id. */
const OF_BUSY_PROJECTS = "project_id = any($1::text::bigint[])";

async function sumOpenUploads(db: Queries, projectIds: string): Promise<Background["openUploads"]> {
  const [row] = await db.execute<Background["openUploads"]>(SUM_OPEN_UPLOADS, [projectIds]);
  return { count: row!.count, reservedBytes: Number(row!.reservedBytes) };
}

const SUM_OPEN_UPLOADS = `
select count(*)::integer as count, coalesce(sum(reserved_bytes), 0)::bigint as "reservedBytes"
from (select reserved_bytes from files
      where ${OF_BUSY_PROJECTS} and status = 'pending' limit ${MAX_COUNTED}) pending`;

async function countDisabledEndpoints(
  db: Queries,
  projectIds: string,
): Promise<Background["disabledEndpoints"]> {
  const rows = await db.execute<{ reason: WebhookDisabledReason; count: number }>(COUNT_DISABLED, [
    projectIds,
  ]);
  const counts = new Map(rows.map(({ reason, count }) => [reason, count]));
  const entries = webhookDisabledReasons.map((reason) => [reason, counts.get(reason) ?? 0]);
  return Object.fromEntries(entries) as Background["disabledEndpoints"];
}

const COUNT_DISABLED = `
select disabled_reason as reason, count(*)::integer as count from webhook_endpoints
where ${OF_BUSY_PROJECTS} and disabled_at is not null and deleted_at is null
group by disabled_reason`;
