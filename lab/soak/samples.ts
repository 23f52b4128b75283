import type { SoakedSystem } from "./a-soaked-system.js";
import { type Bound, judgeTrend, type Trend } from "./judge-trend.js";
import type { ReplicaSample } from "./replica-preload.js";

export interface Sample extends ReplicaSample {
  at: number;
  requests: number;
  connections: number;
  replicas: number;
  /** Of the steady worker. */
  workerHeapBytes: number;
  workerDescriptors: number;
  fileTasks: number;
  deletingRows: number;
  deliveriesWaiting: number;
  outbox: number;
}

const MIB = 1024 ** 2;
/** How much each value may grow in the second half of a run. A leak below that is not seen. */
const bounds: [name: keyof Sample, title: string, unit: number, bound: Bound][] = [
  ["heapBytes", "heap of the steady replica, MiB", MIB, { absolute: 3 * MIB, relative: 0.06 }],
  ["externalBytes", "buffers of the steady replica, MiB", MIB, { absolute: 4 * MIB, relative: 0.1 }],
  ["descriptors", "open files and sockets of the steady replica", 1, { absolute: 12, relative: 0.1 }],
  ["workerHeapBytes", "heap of the steady worker, MiB", MIB, { absolute: 3 * MIB, relative: 0.06 }],
  ["workerDescriptors", "open files and sockets of the steady worker", 1, { absolute: 12, relative: 0.1 }],
  ["fileTasks", "scans and variants that wait", 1, { absolute: 100, relative: 0.5 }],
  ["connections", "connections of PostgreSQL", 1, { absolute: 8, relative: 0.1 }],
  ["deletingRows", "rows of files that are being deleted", 1, { absolute: 250, relative: 0.5 }],
  ["deliveriesWaiting", "deliveries of webhooks that wait", 1, { absolute: 300, relative: 0.5 }],
  ["outbox", "rows of the outbox", 1, { absolute: 20, relative: 0.5 }],
];

/** Measures what must stay flat. @returns null if the steady replica or worker did not answer */
export async function takeSample(
  { replicas, steady, workers, sql }: SoakedSystem,
  requests: number,
): Promise<Sample | null> {
  const ofReplica = await replicas.sample(steady);
  const ofWorker = await workers.steady.sample();
  if (!ofReplica || !ofWorker) return null;
  const [counts] = await sql<Record<"connections" | "deleting" | "waiting" | "outbox" | "tasks", number>[]>`
    select (select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as connections,
           (select count(*)::int from files where status = 'deleting') as deleting,
           (select count(*)::int from webhook_deliveries where next_attempt_at is not null) as waiting,
           (select count(*)::int from webhook_outbox) as outbox,
           (select count(*)::int from file_tasks) + (select count(*)::int from file_variants where status = 'waiting') as tasks`;
  const {
    connections,
    deleting: deletingRows,
    waiting: deliveriesWaiting,
    outbox,
    tasks: fileTasks,
  } = counts!;
  const rest = {
    workerHeapBytes: ofWorker.heapBytes,
    workerDescriptors: ofWorker.descriptors,
    fileTasks,
    connections,
    deletingRows,
    deliveriesWaiting,
    outbox,
    replicas: replicas.running().length,
  };
  return { ...ofReplica, at: Date.now(), requests, ...rest };
}

export interface JudgedTrend {
  title: string;
  unit: number;
  first: number;
  last: number;
  /** Null: too few samples. */
  trend: Trend | null;
}

export const judgeSamples = (samples: Sample[]): JudgedTrend[] =>
  bounds.map(([name, title, unit, bound]) => ({
    title,
    unit,
    first: samples[0]?.[name] ?? 0,
    last: samples.at(-1)?.[name] ?? 0,
    trend: judgeTrend(
      samples.map((sample) => ({ at: sample.at, value: sample[name] })),
      bound,
    ),
  }));
