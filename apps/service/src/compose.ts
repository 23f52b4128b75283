import { randomBytes } from "node:crypto";
import { Agent } from "node:https";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { createApp } from "./app.js";
import type { Config, DatabaseConfig } from "./config.js";
import { type Database, openDatabase } from "./db/client.js";
import { type Sweeper, startSweeper } from "./jobs/sweeper.js";
import { createS3Store } from "./object-store/s3.js";
import type { ProjectDeps } from "./projects/create-project.js";
import { createSns } from "./storage-events/sns.js";

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
  const store = createS3Store({
    endpoint: config.S3_ENDPOINT,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    credentials: { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY },
    timeoutMs: config.S3_TIMEOUT_MS,
  });
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
  const deps: ProjectDeps = { db, randomBytes, clock: () => new Date() };
  return { deps, close: () => db.close() };
}

function composeDatabase(config: DatabaseConfig): Database {
  return openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    timeoutMs: config.DATABASE_TIMEOUT_MS,
  });
}
