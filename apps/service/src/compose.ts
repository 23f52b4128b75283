import { randomBytes } from "node:crypto";
import { Agent } from "node:https";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { createApp } from "./app.js";
import type { Config, DatabaseConfig, StorageConfig } from "./config.js";
import { type Database, openDatabase } from "./db/client.js";
import type { ExamineStoreDeps } from "./doctor/examine-store.js";
import { type Sweeper, startSweeper } from "./jobs/sweeper.js";
import type { ObjectStore } from "./object-store/object-store.js";
import { createS3Store } from "./object-store/s3.js";
import type { ProjectDeps } from "./projects/create-project.js";
import type { ReconcileDeps } from "./reconcile/reconcile.js";
import { createSns } from "./storage-events/sns.js";
import type { ReadUsageDeps } from "./tenants/read-usage.js";

export interface Service {
  app: FastifyInstance;
  /** Starts what runs without a request. */
  startJobs(): void;
  /** From now on /readyz says no, and everything else goes on. */
  startDraining(): void;
  /** Ends requests under way, then lets go of the database and storage. */
  close(): Promise<void>;
}

/** What lies outside of the process and has no setting; given by tests. */
export interface Outside {
  clock?: () => Date;
  /** Makes the connections to AWS's notification service. */
  snsAgent?: Agent;
}

const SNS_TIMEOUT_MS = 5000;

/** Wires the service together: the only file that names concrete adapters. Nothing is connected or listening yet. */
export async function composeService(
  config: Config,
  log: FastifyBaseLogger,
  { clock = () => new Date(), snsAgent = new Agent() }: Outside = {},
): Promise<Service> {
  const db = composeDatabase(config);
  const store = composeStorage(config);
  let draining = false;
  const deps = { db, store, clock, randomBytes, defaultQuotaBytes: config.DEFAULT_QUOTA_BYTES ?? null };
  const app = await createApp({
    ...deps,
    log,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
    storageEventsSecret: config.STORAGE_EVENTS_SECRET ?? null,
    bucket: config.S3_BUCKET,
    snsTopics: config.STORAGE_EVENTS_SNS_TOPICS,
    sns: createSns({ agent: snsAgent, timeoutMs: SNS_TIMEOUT_MS }),
    isDraining: () => draining,
  });
  let sweeper: Sweeper | undefined;
  return {
    app,
    startJobs: () => {
      if (config.SWEEP_INTERVAL_MS === 0) return;
      const onError = (err: unknown) =>
        log.warn({ err }, "a sweep failed; what it missed is looked at again");
      sweeper ??= startSweeper({ ...deps, onError }, config.SWEEP_INTERVAL_MS);
    },
    startDraining: () => {
      draining = true;
    },
    close: async () => {
      await Promise.all([app.close(), sweeper?.stop()]);
      store.close();
      await db.close();
    },
  };
}

/** What the command line needs: projects, without a server. */
export function composeProjects(config: DatabaseConfig) {
  const db = composeDatabase(config);
  const deps: ProjectDeps & ReadUsageDeps = {
    db,
    randomBytes,
    clock: () => new Date(),
    defaultQuotaBytes: config.DEFAULT_QUOTA_BYTES ?? null,
  };
  return { deps, close: () => db.close() };
}

/** What `stowage reconcile` needs: database and storage, without a server. */
export function composeReconcile(config: Config, clock: () => Date = () => new Date()) {
  // Adding up millions of rows takes longer than a request may.
  const timeoutMs = Math.max(config.DATABASE_TIMEOUT_MS, RECOUNT_TIMEOUT_MS);
  const db = composeDatabase({ ...config, DATABASE_TIMEOUT_MS: timeoutMs });
  const store = composeStorage(config);
  const defaultQuotaBytes = config.DEFAULT_QUOTA_BYTES ?? null;
  const deps = { db, store, clock, defaultQuotaBytes } satisfies ReconcileDeps;
  return {
    deps,
    close: async () => {
      store.close();
      await db.close();
    },
  };
}

const RECOUNT_TIMEOUT_MS = 60_000;

/** What `stowage doctor` needs: storage alone. */
export function composeDoctor(config: StorageConfig) {
  const store = composeStorage(config);
  const deps: ExamineStoreDeps = {
    store,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT,
    bucket: config.S3_BUCKET,
    clock: () => new Date(),
    randomBytes,
    fetch,
    probeTimeoutMs: 2 * config.S3_TIMEOUT_MS,
  };
  return { deps, close: async () => store.close() };
}

export function composeStorage(config: StorageConfig): ObjectStore {
  return createS3Store({
    endpoint: config.S3_ENDPOINT,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    credentials: { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY },
    timeoutMs: config.S3_TIMEOUT_MS,
  });
}

function composeDatabase(config: DatabaseConfig): Database {
  return openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    timeoutMs: config.DATABASE_TIMEOUT_MS,
  });
}
