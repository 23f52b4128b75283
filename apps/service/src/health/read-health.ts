import type { LaneLoad, Queries } from "#db/client.js";
import { IS_CURRENT_PRESET } from "#db/schema/conditions.js";
import { type BoundedCount, boundedCount, MAX_COUNT } from "#lib/bounded-count.js";
import { countVariantTroubles } from "#images/list-variants.js";
import { addMs, MINUTE_MS } from "#lib/time.js";
import { type BacklogName, countFailingScans, readBacklog } from "./backlogs.js";
import { usesScanner } from "./check-readiness.js";
import { type CheckedStorages, findStorageProblems, sentenceOf } from "./check-storages.js";
import { readDecoderHealth } from "./decoder-health.js";
import { findDatabaseProblem } from "./find-database-problem.js";
import { listReplicas, type Replica, type ReplicaReport } from "./replica.js";
import { readSignals } from "#db/signals.js";

export interface ReadHealthDeps {
  /** Reads the reports and the backlog. */
  db: Queries;
  /** Checks whether the database can write. */
  healthDb: Queries;
  load: () => LaneLoad[];
  isDiskFull: () => boolean;
  storages: { all: CheckedStorages };
  clock: () => Date;
  replica: Pick<Replica, "id" | "version">;
  /** Whether the service has a secret that lets storage send notifications. */
  acceptsStorageEvents: boolean;
  /** Whether this replica delivers webhooks. */
  webhooksOn: boolean;
}

/** The state of a part that answers requests. */
export interface PartHealth {
  /** Why it cannot be used; null if it can. */
  problem: string | null;
  /** How long it took to answer this check. */
  latencyMs: number;
}

export interface Health {
  checkedAt: string;
  version: string;
  /** The replica that answered. */
  replicaId: string;
  database: PartHealth & {
    /** The connections of the replica that answered, by kind of statement. */
    lanes: LaneLoad[];
  };
  /** `problem` names the storage if there are several. */
  storage: PartHealth & {
    /** When storage last failed a request of any replica; null if never. */
    lastFailureAt: string | null;
  };
  events: {
    isAccepted: boolean;
    /** When the last notification of this bucket arrived at any replica; null if never. */
    lastAt: string | null;
  };
  sweep: {
    /** When a sweep of any replica last ended; null if never. */
    lastAt: string | null;
    /** Files and paths of deleted files whose check is more than a minute late. */
    overdueUploads: BoundedCount;
    overdueTombstones: BoundedCount;
    /** When the oldest of them was due; null if there is none. */
    oldestDueAt: string | null;
  };
  webhooks: {
    /** Whether the replica that answered delivers them: the setting WEBHOOKS. */
    isOn: boolean;
    /** Deliveries that are more than a minute late, and changes whose events are not fanned out after a minute. */
    overdue: BoundedCount;
    /** When the oldest of them was due; null if there is none. */
    oldestDueAt: string | null;
  };
  scans: {
    /** Whether a project scans with clamd. */
    isUsed: boolean;
    /** When a scan worker last ran; null if never. */
    workerLastAt: string | null;
    /** When the scanner last answered a worker; null if never. */
    scannerLastAt: string | null;
    /** Files that have waited for their scan for more than a minute. */
    overdue: BoundedCount;
    /** Files whose scan has failed, and which wait for the next try. */
    failing: BoundedCount;
    /** When the oldest of them was due; null if there is none. */
    oldestDueAt: string | null;
  };
  images: {
    /** Whether a project has presets of image variants. */
    isUsed: boolean;
    /** When a worker last looked for variants to make; null if never. */
    workerLastAt: string | null;
    /** Why a worker can decode no image, in words; null if all workers can. */
    decoderProblem: string | null;
    /** Whether a worker runs on a system that does not limit the memory of its decoders. */
    isMemoryUnlimited: boolean;
    /** Variants that have waited for a worker for more than a minute. */
    overdue: BoundedCount;
    /** Variants whose last try failed, and which wait for the next one. */
    failing: BoundedCount;
    /** Variants that are not tried again by themselves. Without those of files that are no images. */
    failed: BoundedCount;
    /** When the oldest of them was due; null if there is none. */
    oldestDueAt: string | null;
  };
  replicas: ReplicaReport[];
}

/** Only checks that are later than this are counted, because the sweeper may be busy for a moment. */
const LATE_MS = MINUTE_MS;

/**
 * Checks the database and storage, and reads what the replicas reported.
 *
 * @throws {StowageError} `unavailable` if the database cannot be read
 */
export async function readHealth(deps: ReadHealthDeps): Promise<Health> {
  const { db, clock } = deps;
  const late = addMs(clock(), -LATE_MS).toISOString();
  const [
    database,
    storage,
    signals,
    uploads,
    tombstones,
    webhooks,
    scans,
    failing,
    isUsed,
    images,
    hasPresets,
    troubles,
    decoder,
    replicas,
  ] = await Promise.all([
    measure(clock, async () => (await findDatabaseProblem(deps.healthDb))?.description ?? null),
    measure(
      clock,
      async () => (await findStorageProblems(deps.storages.all)).map(sentenceOf).join(", ") || null,
    ),
    readSignals(db),
    countOverdue(db, ["sweep_uploads"], late),
    countOverdue(db, ["sweep_tombstones"], late),
    countOverdue(db, ["webhook_outbox", "webhook_deliveries"], late),
    countOverdue(db, ["scans"], late),
    countFailingScans(db, MAX_COUNT + 1),
    usesScanner(db),
    countOverdue(db, ["image_variants"], late),
    usesVariants(db),
    countVariantTroubles(db, MAX_COUNT + 1),
    readDecoderHealth({ db, clock }),
    listReplicas(db),
  ]);
  const problem = database.problem ?? (deps.isDiskFull() ? "the disk of the database is full" : null);
  const due = [uploads.oldestDueAt, tombstones.oldestDueAt].filter((at) => at !== null);
  return {
    checkedAt: clock().toISOString(),
    version: deps.replica.version,
    replicaId: deps.replica.id,
    database: { ...database, problem, lanes: deps.load() },
    storage: { ...storage, lastFailureAt: signals.storage_failure },
    events: { isAccepted: deps.acceptsStorageEvents, lastAt: signals.storage_event },
    sweep: {
      lastAt: signals.sweep,
      overdueUploads: uploads.overdue,
      overdueTombstones: tombstones.overdue,
      oldestDueAt: due.toSorted()[0] ?? null,
    },
    webhooks: { isOn: deps.webhooksOn, ...webhooks },
    scans: {
      isUsed,
      workerLastAt: signals.scan_worker,
      scannerLastAt: signals.scanner,
      ...scans,
      failing: boundedCount(failing, false),
    },
    images: {
      isUsed: hasPresets,
      workerLastAt: signals.image_worker,
      failing: boundedCount(troubles.failing, false),
      failed: boundedCount(troubles.failed, false),
      decoderProblem: decoder.problem,
      isMemoryUnlimited: decoder.isMemoryUnlimited,
      ...images,
    },
    replicas,
  };
}

async function usesVariants(db: Queries): Promise<boolean> {
  const rows = await db.execute(`select id from image_presets where ${IS_CURRENT_PRESET} limit 1`, []);
  return rows.length > 0;
}

async function measure(clock: () => Date, check: () => Promise<string | null>): Promise<PartHealth> {
  const startedAt = clock().getTime();
  const problem = await check();
  return { problem, latencyMs: clock().getTime() - startedAt };
}

async function countOverdue(
  db: Queries,
  names: BacklogName[],
  dueUntil: string,
): Promise<{ overdue: BoundedCount; oldestDueAt: string | null }> {
  const read = names.map((name) => readBacklog(db, name, { dueUntil, maxCount: MAX_COUNT + 1 }));
  const backlogs = await Promise.all(read);
  const count = backlogs.reduce((sum, backlog) => sum + backlog.count, 0);
  const due = backlogs.flatMap(({ oldestDueAt }) => oldestDueAt ?? []);
  return { overdue: boundedCount(count, false), oldestDueAt: due.toSorted()[0] ?? null };
}
