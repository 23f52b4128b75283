import { randomBytes } from "node:crypto";
import { Agent } from "node:https";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { createApp } from "./app.js";
import type { Config, DatabaseConfig, OperatorConfig, StorageConfig } from "./config.js";
import { type Database, openDatabase } from "./db/client.js";
import type { RunProbesDeps } from "./doctor/run-probes.js";
import { createBatchedAdmit } from "./files/upload/admit-uploads.js";
import { loadMediaTypes } from "./files/upload/detect-content-type.js";
import { createBatchedMarkStored } from "./files/settle/mark-stored.js";
import { startRetention } from "./jobs/retention.js";
import { startBufferedWriter } from "./jobs/buffered-writer.js";
import { startProjectEmptier } from "./jobs/project-emptier.js";
import type { Job } from "./jobs/repeat.js";
import { startSweeper } from "./jobs/sweeper.js";
import type { ObjectStore } from "./object-store/object-store.js";
import { createPresigner } from "./object-store/presign.js";
import { lazyStore } from "./object-store/lazy-store.js";
import { lazy } from "./lib/lazy.js";
import { dashboardAddress } from "./auth/dashboard-address.js";
import { installationSecret } from "./auth/installation-secret.js";
import { offerSetup } from "./auth/offer-setup.js";
import { lazySignIn } from "./auth/lazy-sign-in.js";
import type { ProjectDeps } from "./projects/create-project.js";
import { createKeyUseBuffer } from "./projects/key-use-buffer.js";
import { pooledRandomBytes } from "./lib/random.js";
import type { ReconcileDeps } from "./reconcile/reconcile.js";
import { createSns } from "./storage-events/sns.js";
import type { ReadUsageDeps } from "./tenants/read-usage.js";
import { createRefusalBuffer } from "./usage/refusal-buffer.js";
import { createUploadFeed } from "./usage/upload-feed.js";

export interface Service {
  app: FastifyInstance;
  /** Where the first operator is made, with a token that works once; null when there is somebody already. */
  offerSetup(): Promise<string | null>;
  /** Loads what the first answers do not need, so that no later one waits for it. */
  warmUp(): Promise<void>;
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
  const loadStore = lazy(() => loadS3Store(config));
  const store = lazyStore(presignerOf(config), loadStore);
  let draining = false;
  const patience = { timeoutMs: config.DATABASE_TIMEOUT_MS };
  const deps = {
    db,
    store,
    clock,
    randomBytes: pooledRandomBytes(randomBytes),
    defaultQuotaBytes: config.DEFAULT_QUOTA_BYTES ?? null,
    markStored: createBatchedMarkStored({ db, clock }, patience),
  };
  const dashboard = dashboardAddress(config.DASHBOARD_URL, () => {
    const address = app.server.address();
    return address && typeof address === "object" ? address.port : config.PORT;
  });
  const keyUses = createKeyUseBuffer(deps);
  const refusals = createRefusalBuffer(deps);
  const buffers = [keyUses, refusals];
  const uploadFeed = createUploadFeed({
    db,
    onError: (err) => log.warn({ err }, "the newest uploads could not be read; they are looked at again"),
  });
  const loadSignIn = lazy(async () => {
    const { createSignIn } = await import("./auth/better-auth.js");
    const readSecret = async () => config.SIGN_IN_SECRET ?? (await installationSecret(deps));
    return createSignIn({ db, clock, dashboard, readSecret });
  });
  const app = await createApp({
    ...deps,
    admit: createBatchedAdmit(db, patience),
    log,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
    storageEventsSecret: config.STORAGE_EVENTS_SECRET ?? null,
    bucket: config.S3_BUCKET,
    snsTopics: config.STORAGE_EVENTS_SNS_TOPICS,
    sns: createSns({ agent: snsAgent, timeoutMs: SNS_TIMEOUT_MS }),
    isDraining: () => draining,
    signIn: lazySignIn(loadSignIn),
    dashboard,
    dashboardDir: config.DASHBOARD_DIR,
    storageOrigin: new URL(publicEndpoint(config)).origin,
    keyUses,
    refusals,
    uploadFeed,
    trustedProxies: config.TRUSTED_PROXIES,
  });
  const jobs: Job[] = [];
  return {
    app,
    offerSetup: async () => {
      const token = await offerSetup(deps);
      // Behind the #, which browsers send to nobody: the token is in no server's log.
      return token === null ? null : `${dashboard.url()}/setup#${token}`;
    },
    warmUp: async () => {
      const routes = [
        import("./trpc/answer.js"),
        import("./http/export-lists.js"),
        import("./http/openapi.js"),
      ];
      await Promise.all([loadStore(), loadSignIn(), loadMediaTypes(), ...routes]);
    },
    startJobs: () => {
      if (jobs.length > 0) return;
      const onError = (err: unknown) => log.warn({ err }, "a job failed; what it missed is looked at again");
      jobs.push(startBufferedWriter({ buffers, onError }), startRetention({ ...deps, onError }));
      if (config.SWEEP_INTERVAL_MS === 0) return;
      jobs.push(startSweeper({ ...deps, onError }, config.SWEEP_INTERVAL_MS));
      jobs.push(startProjectEmptier({ ...deps, onError }, config.SWEEP_INTERVAL_MS));
    },
    startDraining: () => {
      draining = true;
    },
    close: async () => {
      uploadFeed.close(); // those who watch go to another replica; their requests would never end by themselves
      await Promise.all([app.close(), ...jobs.map((job) => job.stop())]);
      await Promise.allSettled(buffers.map((buffer) => buffer.flush())); // niceties that must not hold up the end
      store.close();
      await db.close();
    },
  };
}

/** What the command line needs: projects, without a server. */
export function composeProjects(config: DatabaseConfig) {
  const db = composeDatabase(config);
  const deps: ProjectDeps & ReadUsageDeps & { db: Database } = {
    db,
    randomBytes,
    clock: () => new Date(),
    defaultQuotaBytes: config.DEFAULT_QUOTA_BYTES ?? null,
  };
  return { deps, close: () => db.close() };
}

/** What `stowage operator` needs: people, and the address of the pages they are sent to. */
export function composeOperators(config: OperatorConfig) {
  const { deps, close } = composeProjects(config);
  return { deps: { ...deps, dashboard: dashboardAddress(config.DASHBOARD_URL, () => config.PORT) }, close };
}

/** What `stowage reconcile` needs: database and storage, without a server. */
export function composeReconcile(config: Config, clock: () => Date = () => new Date()) {
  // Adding up millions of rows takes longer than a request may.
  const timeoutMs = Math.max(config.DATABASE_TIMEOUT_MS, RECOUNT_TIMEOUT_MS);
  const db = composeDatabase({ ...config, DATABASE_TIMEOUT_MS: timeoutMs });
  const store = composeStorage(config);
  const defaultQuotaBytes = config.DEFAULT_QUOTA_BYTES ?? null;
  const markStored = createBatchedMarkStored({ db, clock }, { timeoutMs: timeoutMs });
  const deps = { db, store, markStored, clock, defaultQuotaBytes } satisfies ReconcileDeps;
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
  const deps: RunProbesDeps = {
    store,
    publicEndpoint: publicEndpoint(config),
    bucket: config.S3_BUCKET,
    clock: () => new Date(),
    randomBytes,
    fetch,
    probeTimeoutMs: 2 * config.S3_TIMEOUT_MS,
  };
  return { deps, close: async () => store.close() };
}

export function composeStorage(config: StorageConfig): ObjectStore {
  return lazyStore(
    presignerOf(config),
    lazy(() => loadS3Store(config)),
  );
}

function presignerOf(config: StorageConfig) {
  return createPresigner({ ...storageOptions(config), endpoint: publicEndpoint(config) });
}

async function loadS3Store(config: StorageConfig): Promise<ObjectStore> {
  const { createS3Store } = await import("./object-store/s3.js");
  return createS3Store({
    ...storageOptions(config),
    publicEndpoint: publicEndpoint(config),
    timeoutMs: config.S3_TIMEOUT_MS,
  });
}

function storageOptions(config: StorageConfig) {
  return {
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    credentials: { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY },
  };
}

function publicEndpoint(config: StorageConfig): string {
  return config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT;
}

function composeDatabase(config: DatabaseConfig): Database {
  return openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    timeoutMs: config.DATABASE_TIMEOUT_MS,
  });
}
