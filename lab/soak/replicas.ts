import type { ChildProcess } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { aProcess, type ServiceProcess } from "@stowage/service/test/fixtures/a-process.js";
import { anOutageProxy, type OutageProxy } from "@stowage/service/test/fixtures/an-outage-proxy.js";
import { writeStorages } from "./storages.js";
import { preloadOf, type ReplicaSample } from "./replica-preload.js";

/** How long a call to the database or to storage may take in a replica. */
export const CALL_TIMEOUT_MS = 5000;
const START_TRIES = 60;
const DRAIN_LIMIT_MS = 40_000;
const SAMPLE_WAIT_MS = 5000;
const SAMPLE_POLL_MS = 20;

/** One replica. It reaches the database and storage through proxies of its own. */
export interface Replica {
  name: string;
  process: ServiceProcess;
  database: OutageProxy;
  storage: OutageProxy;
  clockAheadMs: number;
  startedAt: number;
  sampleFile: string;
}

export interface ReplicasOptions {
  /** A folder for samples. */
  dir: string;
  databaseUrl: string;
  storageUrl: string;
  settings: Record<string, string>;
  /** A planted leak of each replica, as in `preloadOf`. */
  leakBytes: number;
}

export interface Replicas {
  /** Those that take requests now. */
  running(): Replica[];
  /** How many processes were started until now. */
  starts(): number;
  /** Starts a replica, also if its database is down at first. */
  add(name: string, clockAheadMs: number): Promise<Replica>;
  /** Kills a replica without a warning. */
  kill(replica: Replica): Promise<void>;
  /** Ends a replica as a deployment does. @throws {Error} if it does not exit with 0 in time */
  drain(replica: Replica): Promise<void>;
  /** Reads what a replica retains. @returns null if it does not answer */
  sample(replica: Replica): Promise<ReplicaSample | null>;
  /** The lines of the logs of all replicas that are errors. */
  errors(): string[];
  close(): Promise<void>;
}

export function replicasOf(options: ReplicasOptions): Replicas {
  const running = new Set<Replica>();
  const errors: string[] = [];
  let starts = 0;

  async function start(name: string, clockAheadMs: number): Promise<Replica> {
    const database = await anOutageProxy(options.databaseUrl);
    const storage = await anOutageProxy(options.storageUrl);
    const sampleFile = join(options.dir, `${name}-${starts++}.json`);
    const { leakBytes } = options;
    const storagesFile = join(options.dir, `${name}-${starts}-storages.json`);
    await writeStorages(storagesFile, storage.url);
    const settings = {
      ...options.settings,
      PORT: "0",
      DATABASE_URL: database.url,
      DATABASE_TIMEOUT_MS: String(CALL_TIMEOUT_MS),
      STORAGES_FILE: storagesFile,
      S3_TIMEOUT_MS: String(CALL_TIMEOUT_MS),
      NODE_OPTIONS: preloadOf({ clockAheadMs, sampleFile, leakBytes }),
    };
    try {
      const process = await aProcess(settings);
      return { name, process, database, storage, clockAheadMs, sampleFile, startedAt: Date.now() };
    } catch (error) {
      await Promise.all([database.close(), storage.close()]);
      throw error;
    }
  }

  async function end(replica: Replica): Promise<void> {
    errors.push(...replica.process.problems().filter((line) => /^\{"level":[56]0/.test(line)));
    await Promise.all([replica.database.close(), replica.storage.close()]);
  }

  return {
    running: () => [...running],
    starts: () => starts,
    async add(name, clockAheadMs) {
      for (let tries = 1; ; tries++) {
        try {
          const replica = await start(name, clockAheadMs);
          running.add(replica);
          return replica;
        } catch (error) {
          // The database is down. A container platform starts the service again.
          if (tries === START_TRIES) throw error;
          await sleep(500);
        }
      }
    },
    async kill(replica) {
      // Until a load balancer notices, it still sends requests to the killed replica.
      await replica.process.kill();
      running.delete(replica);
      await end(replica);
    },
    async drain(replica) {
      replica.process.child.kill("SIGTERM");
      running.delete(replica);
      const late = sleep(DRAIN_LIMIT_MS, "late" as const, { ref: false });
      const code = await Promise.race([replica.process.exit, late]);
      if (code !== 0) await replica.process.kill();
      await end(replica);
      if (code !== 0)
        throw new Error(`the drained replica ended with ${code}: ${replica.process.output().slice(-600)}`);
    },
    sample: ({ process, sampleFile }) => sampleOf(process.child, sampleFile),
    errors: () => [
      ...errors,
      ...[...running].flatMap(({ process }) =>
        process.problems().filter((line) => /^\{"level":[56]0/.test(line)),
      ),
    ],
    async close() {
      for (const replica of running) {
        await replica.process.kill();
        await end(replica);
      }
      running.clear();
    },
  };
}

/** Reads what a process retains that has {@link preloadOf}. @returns null if it does not answer */
export async function sampleOf(child: ChildProcess, sampleFile: string): Promise<ReplicaSample | null> {
  await rm(sampleFile, { force: true });
  if (!child.kill("SIGUSR2")) return null;
  for (let waitedMs = 0; waitedMs < SAMPLE_WAIT_MS; waitedMs += SAMPLE_POLL_MS) {
    await sleep(SAMPLE_POLL_MS);
    const text = await readFile(sampleFile, "utf8").catch(() => null);
    if (text !== null) return JSON.parse(text) as ReplicaSample;
  }
  return null;
}
