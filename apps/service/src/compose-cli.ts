import { randomBytes, randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { dashboardAddress } from "./auth/dashboard-address.js";
import { createScryptQueue, lazyLinkPasswords } from "./auth/scrypt-queue.js";
import { composeDatabase, composeSecretBox, composeStorages, serviceLimits } from "./compose-adapters.js";
import { type Buckets, composeBuckets, composeDelivery, composeStore } from "./compose-storage.js";
import { composeWorkerMetrics, listenForMetrics } from "./compose-metrics.js";
import { readVersion } from "./version.js";
import { publicEndpointOf, type StorageConfig } from "./settings/storage-config.js";
import type { Config, DatabaseConfig, OperatorConfig, WebhookConfig } from "./config.js";
import { watchCitus } from "./db/citus/watch-citus.js";
import type { Database } from "./db/client.js";
import type { Endpoint } from "./object-store/addressing.js";
import type { RunProbesDeps } from "./doctor/run-probes.js";
import { send } from "./doctor/send.js";
import { createSignals } from "#db/signals.js";
import { createClockCheck } from "./health/clock-check.js";
import { watchStore } from "./health/watch-store.js";
import { createDecoder } from "./images/decode/decoder.js";
import { DecoderFailedError } from "./images/decode/process.js";
import { createPosterMaker } from "./images/film/poster-frame.js";
import type { FailedTry, PosterMaker } from "./images/make-variant.js";
import type { DecodableFormat } from "./images/source-formats.js";
import { startWorkerJobs } from "./jobs/worker-jobs.js";
import { SECOND_MS } from "./lib/time.js";
import { imageDecoder } from "./paths.js";
import type { Scanner } from "./scans/scanner.js";
import type { WorkerMetrics } from "./telemetry/metrics/metrics.js";
import { createClamd } from "./scans/clamd.js";
import { createBatchedMarkStored } from "./files/settle/mark-stored.js";
import type { MoveTimes } from "./projects/moving-projects.js";
import type { ProjectDeps } from "./projects/create-project.js";
import type { MoveProjectDeps, RunTimes } from "./relocate/move-project.js";
import type { ReconcileStoragesDeps } from "./reconcile/reconcile-storages.js";
import type { MetricsServer } from "./telemetry/metrics/serve-metrics.js";
import type { ReadUsageDeps } from "./tenants/read-usage.js";

/*
 * Wires the command line: the dependencies of each command, and a function that closes its connections.
 */

/** For commands that need only the database. */
export function composeDatabaseCommands(config: DatabaseConfig) {
  const db = composeDatabase(config);
  const deps: ProjectDeps & ReadUsageDeps & { db: Database } = {
    db,
    randomBytes,
    clock: () => new Date(),
    ...serviceLimits(config),
  };
  return { deps, close: () => db.close() };
}

/** For commands of `stowage operator`, which print links to the dashboard. */
export function composeOperatorCommands(config: OperatorConfig) {
  const { deps, close } = composeDatabaseCommands(config);
  return { deps: { ...deps, dashboard: dashboardAddress(config.DASHBOARD_URL, () => config.PORT) }, close };
}

/** For `stowage link create`, which prints a link below the dashboard's address. */
export function composeLinkCommands(config: OperatorConfig) {
  const { deps, close } = composeOperatorCommands(config);
  const linkPasswords = lazyLinkPasswords(async () => {
    const { createLinkPasswords } = await import("./auth/better-auth-passwords.js");
    return createLinkPasswords(createScryptQueue());
  });
  return { deps: { ...deps, linkPasswords }, close };
}

/** For `stowage webhook create` and `rotate`, which encrypt the secret that they make. */
export function composeWebhookCommands(config: WebhookConfig) {
  const { deps, close } = composeDatabaseCommands(config);
  const webhookSecrets = composeSecretBox(config, deps.db);
  const webhookAddresses = { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE };
  return { deps: { ...deps, webhookSecrets, webhookAddresses }, close };
}

/** Adding up millions of rows takes longer than a request may take. */
const RECONCILE_QUERY_TIMEOUT_MS = 60_000;

/** For `stowage reconcile`. */
export function composeReconcileCommand(config: Config, clock: () => Date = () => new Date()) {
  const timeoutMs = Math.max(config.DATABASE_TIMEOUT_MS, RECONCILE_QUERY_TIMEOUT_MS);
  return composeStorageCommands({ ...config, DATABASE_TIMEOUT_MS: timeoutMs }, clock);
}

/** For commands that need the database and storage. */
export function composeStorageCommands(config: Config, clock: () => Date = () => new Date()) {
  const db = composeDatabase(config);
  const { storages, closeStorages, requireUsedStorages } = composeStorages(config, db);
  const defaults = serviceLimits(config);
  const markStored = createBatchedMarkStored({ db, clock, ...defaults }, { isSeparate: watchCitus(db) });
  const deps = {
    db,
    storages,
    markStored,
    clock,
    ...defaults,
    requireUsedStorages,
  } satisfies ReconcileStoragesDeps;
  return {
    deps,
    close: async () => {
      closeStorages();
      await db.close();
    },
  };
}

/** For `stowage project move-storage`. */
export function composeMoveCommand(config: Config, times?: RunTimes) {
  const db = composeDatabase(config);
  const { ownStorages, openTransfer, closeStorages } = composeStorages(config, db);
  const deps = {
    db,
    ownStorages,
    openTransfer,
    clock: () => new Date(),
    version: readVersion(),
    runner: randomUUID(),
    sleep,
    ...(times && { times }),
  } satisfies MoveProjectDeps;
  return {
    deps,
    close: async () => {
      closeStorages();
      await db.close();
    },
  };
}

/** For `stowage worker`. It scans only with CLAMAV_URL. */
export async function composeWorker(config: Config, log: Logger, moveTimes?: MoveTimes) {
  const db = composeDatabase(config);
  const clock = () => new Date();
  const { storages, storageBuckets, closeStorages, requireUsedStorages, findAddresses } = composeStorages(
    config,
    db,
    {
      watch: (bucket, _, storage) =>
        watchStore(bucket, (operation, end) => metrics?.storage.onRequest(storage, operation, end)),
      log,
      moveTimes,
    },
  );
  await findAddresses();
  const metrics = await composeWorkerMetrics(config, {
    db,
    storages: storageBuckets,
    clock,
    version: readVersion(),
  });
  const decoders = availableParallelism();
  const decoder = createDecoder({ processes: decoders + 1, program: imageDecoder, ...DECODER_LIMITS });
  const scanner = composeScanner(config, metrics);
  let metricsServer: MetricsServer | null = null;
  const defaults = serviceLimits(config);
  const isSeparate = watchCitus(db);
  const start = async () => {
    await requireUsedStorages();
    return startWorkerJobs({
      db,
      storages,
      markStored: createBatchedMarkStored({ db, clock, ...defaults }, { isSeparate }),
      clock,
      ...defaults,
      signals: createSignals({ db, clock }),
      clockCheck: createClockCheck({ db, clock }),
      scanner,
      onScanError: (err, file) => log.warn({ err, file }, "a scan failed; the file will be scanned again"),
      decoder,
      decoders,
      formatsOff: formatsOffBy(config),
      posters: composePosters(config),
      onVariantEnd: metrics?.images.onVariantEnd,
      onVariantError: (err, variant) =>
        log.warn({ err, details: detailsOf(err), ...variant }, whatFollows(variant)),
      onDecoderProblem: ({ problem, details }) => {
        if (problem !== null) log.error({ problem, details }, "this worker can decode no image");
        else log.warn("this system does not limit the memory of image decoders");
      },
    });
  };
  return {
    deps: {
      start,
      serveMetrics: async () => {
        metricsServer = await listenForMetrics(metrics, config, log);
      },
    },
    close: async () => {
      await metricsServer?.close();
      await decoder.close();
      closeStorages();
      await db.close();
    },
  };
}

function composePosters({ FFMPEG_PATH: ffmpeg }: Config): PosterMaker | null {
  const { timeLimitMs, memoryBytes } = DECODER_LIMITS;
  if (ffmpeg === undefined) return null;
  return createPosterMaker({ ffmpeg, timeLimitSeconds: timeLimitMs / SECOND_MS, memoryBytes });
}

function formatsOffBy({ HEIC_VARIANTS, PDF_VARIANTS }: Config): DecodableFormat[] {
  return [...(HEIC_VARIANTS ? [] : ["heic" as const]), ...(PDF_VARIANTS ? [] : ["pdf" as const])];
}

/** What a decoder said before it ended, or about the image. */
const detailsOf = (error: unknown) => (error instanceof DecoderFailedError ? error.details : null);

function whatFollows(variant: FailedTry | undefined): string {
  if (!variant) return "a job for image variants failed; it will be repeated";
  return variant.outcome === "gave_up"
    ? "an image variant failed for the last time; `stowage file retry-variants` has it tried again"
    : "an image variant failed; it will be tried again";
}

/** CPU time. The largest AVIF takes 2 seconds: see docs/decisions/0051. */
const DECODER_LIMITS = { timeLimitMs: 30 * SECOND_MS, memoryBytes: 512 * 1024 ** 2, maxJobs: 200 };

function composeScanner({ CLAMAV_URL: url }: Config, metrics: WorkerMetrics | null): Scanner | null {
  if (url === undefined) return null;
  const clamd = createClamd(url);
  return metrics?.scans.watchScanner(clamd) ?? clamd;
}

/** For `stowage doctor`. Without settings of a database it examines storage alone. */
export function composeDoctorCommand(config: StorageConfig, database: DatabaseConfig | null) {
  const buckets = composeBuckets(config);
  const store = composeStore(config, buckets);
  const db = database && composeDatabase(database);
  const { own, browsers } = buckets.addresses;
  const deps: RunProbesDeps & Pick<Buckets, "credentials"> & { db: Database | null; endpoints: Endpoint[] } =
    {
      db,
      endpoints: [...new Set([own, browsers])],
      // The CDN has a probe of its own.
      store: { ...store, presignGet: buckets.private.presignGet },
      credentials: buckets.credentials,
      publicEndpoint: publicEndpointOf(config),
      delivery: composeDelivery(config),
      bucket: config.S3_BUCKET,
      clock: () => new Date(),
      randomBytes,
      send,
      probeTimeoutMs: 2 * config.S3_TIMEOUT_MS,
    };
  return {
    deps,
    close: async () => {
      store.close();
      await db?.close();
    },
  };
}

/** For `stowage cors`. */
export function composeCorsCommand(config: StorageConfig) {
  const store = composeStore(config);
  return { deps: { store }, close: async () => store.close() };
}
