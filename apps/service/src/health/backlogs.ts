import type { Queries } from "#db/client.js";
import {
  END_OF_FILE,
  ENDS_BY_ITSELF,
  IS_LEAVING_VARIANT,
  SWEEPS_PARTS,
  SWEEPS_UPLOADS,
} from "#db/schema/conditions.js";
import { toIsoTime } from "#lib/time.js";
import { type WorkKind, workKinds } from "#work/work-kinds.js";

/*
 * What waits for a job, over all projects. Only a bounded number of rows is read: the oldest ones by an index in the order of time, which
 * all tables but the outbox have.
 */

interface Source {
  table: string;
  /** When a row is due. */
  at: string;
  /** Which rows; several conditions exclude each other, and the index in the order of time begins with them. @default all */
  conditions?: string[];
  /** False: there is no index in the order of time over all projects. @default true */
  isOrdered?: boolean;
}

/** Work that is claimed row by row. */
const ofKind = ({ table, dueAt, condition = "true" }: WorkKind) => ({
  table,
  at: dueAt,
  conditions: [condition],
});

const sources = {
  sweep_uploads: {
    table: "files",
    at: "next_check_at",
    conditions: [SWEEPS_UPLOADS, SWEEPS_PARTS],
  },
  sweep_tombstones: { table: "tombstones", at: "next_check_at" },
  file_ends: { table: "files", at: END_OF_FILE, conditions: [ENDS_BY_ITSELF] },
  webhook_outbox: { table: "webhook_outbox", at: "position", isOrdered: false },
  webhook_deliveries: { table: "webhook_deliveries", at: "next_attempt_at" },
  scans: ofKind(workKinds.scans),
  image_variants: ofKind(workKinds.variants),
  image_variant_removals: { table: "file_variants", at: "due_at", conditions: [IS_LEAVING_VARIANT] },
} satisfies Record<string, Source>;

export type BacklogName = keyof typeof sources;
export const backlogNames = Object.keys(sources) as BacklogName[];

export interface Backlog {
  /** Rows that are due, at most `maxCount`. */
  count: number;
  /** When the oldest of them was due; null if there is none. */
  oldestDueAt: string | null;
}

/**
 * Counts the rows that are due.
 *
 * @param options.dueUntil ISO time
 * @throws {StowageError} `unavailable`
 */
export async function readBacklog(
  db: Queries,
  name: BacklogName,
  { dueUntil, maxCount }: { dueUntil: string; maxCount: number },
): Promise<Backlog> {
  const { table, at, conditions = ["true"], isOrdered = true }: Source = sources[name];
  const order = isOrdered ? `order by ${at}` : "";
  const parts = conditions.map(
    (condition) => `
      (select ${at} as due_at from ${table} t where ${condition} and ${at} <= $1::timestamptz ${order} limit ${maxCount})`,
  );
  const [row] = await db.execute<Backlog>(
    `select count(*)::integer as count, min(due_at) as "oldestDueAt"
     from (select due_at from (${parts.join(" union all ")}) parts ${isOrdered ? "order by due_at" : ""} limit ${maxCount}) due`,
    [dueUntil],
  );
  const { count } = row!;
  const isOldestRead = isOrdered || count < maxCount;
  const oldestDueAt = isOldestRead ? row!.oldestDueAt : await findOldestEvent(db);
  return { count, oldestDueAt: oldestDueAt === null ? null : toIsoTime(oldestDueAt) };
}

/** Reads the oldest row of each project, by the primary key of the outbox. */
async function findOldestEvent(db: Queries): Promise<string | null> {
  const [row] = await db.execute<{ oldestDueAt: string | null }>(
    `select min((select min(o.position) from webhook_outbox o where o.project_id = w.project_id)) as "oldestDueAt"
     from (select distinct project_id from webhook_endpoints) w`,
    [],
  );
  return row!.oldestDueAt;
}

/** Counts the files whose scan has failed, and which wait for the next try. @throws {StowageError} `unavailable` */
export async function countFailingScans(db: Queries, maxCount: number): Promise<number> {
  // The subquery has a column, because Citus cannot pass rows without one from the nodes to the coordinator.
  const [row] = await db.execute<{ count: number }>(
    `select count(*)::integer as count
     from (select t.failures from file_tasks t where ${workKinds.scans.condition} and t.failures > 0
           order by t.failures limit ${maxCount}) failing`,
    [],
  );
  return row!.count;
}
