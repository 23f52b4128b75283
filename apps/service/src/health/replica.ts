import type { Database, Queries } from "#db/client.js";
import type { RandomBytes } from "#lib/random.js";
import { addMs, DAY_MS, MINUTE_MS, toIsoTime } from "#lib/time.js";

/** This process among the replicas of the service. */
export interface Replica {
  /** Random, for each start. */
  id: string;
  version: string;
  /** Writes that this replica runs. @throws {StowageError} `unavailable` */
  report(): Promise<void>;
  /** Removes the report, because this replica stops. @throws {StowageError} `unavailable` */
  leave(): Promise<void>;
}

export interface ReplicaDeps {
  db: Pick<Database, "execute" | "load">;
  clock: () => Date;
  randomBytes: RandomBytes;
  host: string;
  version: string;
}

/** How often a replica reports. */
export const REPORT_INTERVAL_MS = 15_000;
/** A replica that has crashed cannot remove its report. It is listed for this long. */
const SILENT_KEPT_MS = DAY_MS;
/** Enough for a page. The replicas that reported last come first. */
const MAX_LISTED = 100;

export function createReplica(deps: ReplicaDeps): Replica {
  const id = Buffer.from(deps.randomBytes(4)).toString("hex");
  const startedAt = deps.clock().toISOString();
  return {
    id,
    version: deps.version,
    async report() {
      const waiting = deps.db.load().reduce((sum, lane) => sum + lane.waiting, 0);
      const now = deps.clock();
      await deps.db.execute(REPORT, [id, deps.host, deps.version, startedAt, now.toISOString(), waiting]);
      await deps.db.execute(DELETE_SILENT, [addMs(now, -SILENT_KEPT_MS).toISOString()]);
    },
    leave: async () => void (await deps.db.execute("delete from replicas where id = $1", [id])),
  };
}

const REPORT = `
insert into replicas (id, host, version, started_at, seen_at, waiting)
values ($1, $2, $3, $4::timestamptz, $5::timestamptz, $6::integer)
on conflict (id) do update set seen_at = excluded.seen_at, waiting = excluded.waiting`;

const DELETE_SILENT = "delete from replicas where seen_at < $1::timestamptz";

/** What a replica last reported. */
export interface ReplicaReport {
  id: string;
  host: string;
  version: string;
  startedAt: string;
  seenAt: string;
  /** Statements that waited for a connection to the database. */
  waiting: number;
}

/** Lists the replicas that reported within a day, the newest report first. @throws {StowageError} `unavailable` */
export async function listReplicas(db: Queries): Promise<ReplicaReport[]> {
  const rows = await db.execute<ReplicaReport>(LIST, []);
  // The driver returns times as PostgreSQL writes them.
  return rows.map((row) => ({ ...row, startedAt: toIsoTime(row.startedAt), seenAt: toIsoTime(row.seenAt) }));
}

const LIST = `
select id, host, version, started_at as "startedAt", seen_at as "seenAt", waiting
from replicas order by seen_at desc, id limit ${MAX_LISTED}`;

/** A replica that reported within this time is running. */
const RUNNING_MS = 2 * MINUTE_MS;

/** Finds a running replica of another version. Workers do not report. @throws {StowageError} `unavailable` */
export async function findOtherVersion(
  db: Queries,
  version: string,
  now: Date,
): Promise<Pick<ReplicaReport, "host" | "version"> | null> {
  const [found] = await db.execute<Pick<ReplicaReport, "host" | "version">>(OTHER_VERSION, [
    version,
    addMs(now, -RUNNING_MS).toISOString(),
  ]);
  return found ?? null;
}

const OTHER_VERSION = `
select host, version from replicas where version <> $1 and seen_at > $2::timestamptz order by seen_at desc limit 1`;
