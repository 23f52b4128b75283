import { randomBytes } from "node:crypto";
import { Agent } from "node:https";
import { hostname } from "node:os";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { createApp } from "./app.js";
import { dashboardAddress } from "./auth/dashboard-address.js";
import { readInstallationSecret } from "./auth/installation-secret.js";
import { requireTwoFactor } from "./auth/require-two-factor.js";
import { isSetUp, offerSetup } from "./auth/setup.js";
import { createScryptQueue, lazyLinkPasswords } from "./auth/scrypt-queue.js";
import { lazySignIn } from "./auth/sign-in.js";
import {
  composeCounters,
  composeDatabase,
  composeOidc,
  composeSecretBox,
  composeSignInOffer,
  composeStorages,
  serviceLimits,
} from "./compose-adapters.js";
import { ConfigError } from "./settings/parse-settings.js";
import type { Config } from "./config.js";
import { type CloseOptions, trackConnections } from "./http/drain-connections.js";
import { PREPARED_LOST } from "./db/driver/prepared-statements.js";
import { watchCitus } from "./db/citus/watch-citus.js";
import { createBatchedMarkStored } from "./files/settle/mark-stored.js";
import { withReplacements } from "./files/upload/admit-replacement.js";
import { createBatchedAdmit } from "./files/upload/admit-uploads.js";
import { createAdmission } from "./members/admit-by-oidc.js";
import { createReplica } from "./health/replica.js";
import { createRequestCounters } from "./health/request-counters.js";
import { createSignals } from "#db/signals.js";
import { watchStore } from "./health/watch-store.js";
import { strictTransport } from "./http/strict-transport.js";
import { type ClockCheck, createClockCheck } from "./health/clock-check.js";
import { startJobs } from "./jobs/jobs.js";
import type { Job } from "./jobs/repeat.js";
import { lazy } from "./lib/lazy.js";
import { pooledRandomBytes } from "./lib/random.js";
import { docsDir } from "./paths.js";
import { createKeyLookup } from "./projects/key-lookup.js";
import { createKeyUseBuffer } from "./projects/key-use-buffer.js";
import type { MoveTimes } from "./projects/moving-projects.js";
import { createSns } from "./storage-events/sns.js";
import { createRefusalBuffer } from "./usage/refusal-buffer.js";
import { createRefusedRequestBuffer } from "./usage/refused-request-buffer.js";
import { composeMetrics, listenForMetrics } from "./compose-metrics.js";
import type { MetricsServer } from "./telemetry/metrics/serve-metrics.js";
import type { Tracing } from "./telemetry/tracing/tracing.js";
import { createEventWaits } from "./follow/event-waits.js";
import { createDownloadMeter } from "./tenants/download-meter.js";
import { createUploadFeed } from "./usage/upload-feed.js";
import { readVersion } from "./version.js";
import { createDeliverer } from "./webhooks/deliverer.js";
import { createPostWebhook } from "./webhooks/post-webhook.js";

export interface Service {
  app: FastifyInstance;
  /** Whether there is an operator. */
  isSetUp(): Promise<boolean>;
  /** Returns a one-time link for creating the first operator, or null if there is an operator. */
  offerSetup(): Promise<string | null>;
  /**
   * Loads the rest of the code and connects to the database, so that no response waits for that. Call it before the service listens: the
   * time limits of statements would count a slow start.
   *
   * @throws {ConfigError} if a project uses a storage that the settings do not have
   */
  warmUp(): Promise<void>;
  startJobs(): void;
  /** Serves `/metrics` on METRICS_PORT. @returns its URL; null without the setting. @throws {ConfigError} if the port cannot be used */
  serveMetrics(): Promise<string | null>;
  /** From now on `/readyz` answers 503, and every answer closes its connection. Other requests are answered as before. */
  startDraining(): void;
  /** Stops listening, waits for running requests and jobs, and then closes the connections to the database and storage. */
  close(connectionOptions?: CloseOptions): Promise<void>;
  /** Answers the requests whose body is still arriving with 503. */
  refuseUnfinishedRequests(): void;
}

/** Dependencies outside of the process that have no setting. Tests replace them. */
export interface ServiceOverrides {
  clock?: () => Date;
  /** Whether the clock is compared with the database's. @default unless there is another clock */
  comparesClock?: boolean;
  /** Makes the HTTPS connections to AWS SNS. */
  snsAgent?: Agent;
  /** Records spans. @default none */
  tracing?: Tracing | undefined;
  /** How soon the service learns of a project that moves to another storage. @default those of production */
  moveTimes?: MoveTimes | undefined;
}

/** For tests that give the service a clock of their own: the database has another time. */
const UNCHECKED: ClockCheck = { findProblem: async () => null, requireRightClock: async () => {} };

const SNS_TIMEOUT_MS = 5000;
const READS_FROM_STANDBY =
  "DATABASE_URL leads to a standby of PostgreSQL. Uploads need the primary, and reads of a standby miss what was just stored: docs/poolers.md";

/** Wires the service. Only RATE_LIMIT_STORE is connected, and the server does not listen yet. */
export async function composeService(
  config: Config,
  log: FastifyBaseLogger,
  {
    clock: otherClock,
    comparesClock = !otherClock,
    snsAgent = new Agent(),
    tracing,
    moveTimes,
  }: ServiceOverrides = {},
): Promise<Service> {
  const clock = otherClock ?? (() => new Date());
  const db = composeDatabase(config, {
    onPreparedLost: () => log.warn(PREPARED_LOST),
    onRefused: (report) => log.warn(report, "calls to the database were refused, or got no answer in time"),
    observe: tracing?.statements,
  });
  const signals = createSignals({ db, clock });
  const composed = composeStorages(config, db, {
    watch: (bucket, name, storage) =>
      watchStore(tracing ? tracing.store(bucket, name) : bucket, (operation, end) => {
        if (end.error !== undefined) signals.mark("storage_failure");
        metrics?.storage.onRequest(storage, operation, end);
      }),
    log,
    moveTimes,
  });
  await composed.findAddresses();
  const { storages, storageBuckets } = composed;
  const metrics = await composeMetrics(config, {
    db,
    storages: storageBuckets,
    clock,
    version: readVersion(),
  });
  const isSeparate = watchCitus(db.lane("upload", "service"));
  const markStored = createBatchedMarkStored(
    { db, clock, ...serviceLimits(config) },
    { isSeparate, observer: tracing?.batches("mark stored") },
  );
  const admit = withReplacements(
    db,
    createBatchedAdmit(db, { isSeparate, observer: tracing?.batches("admit upload") }),
  );
  const post = createPostWebhook({
    addresses: { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE },
    proxy: config.WEBHOOK_PROXY,
  });
  const deps = {
    db,
    storages,
    clock,
    clockCheck: comparesClock ? createClockCheck({ db: db.lane("health", "clock"), clock }) : UNCHECKED,
    randomBytes: pooledRandomBytes(randomBytes),
    ...serviceLimits(config),
    uploadSessionDays: config.UPLOAD_SESSION_DAYS,
    projectCreation: config.PROJECT_CREATION,
    webhookSecrets: composeSecretBox(config, db),
    signInOffer: composeSignInOffer(config),
    isPasswordOff: !config.PASSWORD_SIGN_IN,
    webhooksOn: config.WEBHOOKS,
    hasPosters: config.FFMPEG_PATH !== undefined,
    webhookAddresses: { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE },
    markStored: metrics?.uploads.watchMarkStored(markStored) ?? markStored,
    traceparent: tracing?.traceparent,
  };
  const dashboard = dashboardAddress(config.DASHBOARD_URL, () => portOf(app) ?? config.PORT);
  const scrypt = createScryptQueue();
  const linkPasswords = lazyLinkPasswords(
    lazy(async () => {
      const { createLinkPasswords } = await import("./auth/better-auth-passwords.js");
      return createLinkPasswords(scrypt);
    }),
  );
  const loadSignIn = lazy(async () => {
    const { createSignIn } = await import("./auth/better-auth.js");
    const readSecret = async () => config.SIGN_IN_SECRET ?? (await readInstallationSecret(deps));
    const signInDeps = { ...deps, db: db.lane("work", "sign-in") };
    const oidcSettings = composeOidc(config);
    const policy = {
      connectByEmail: config.OIDC_CONNECT_BY_EMAIL,
      requireSecondFactor: config.REQUIRE_TWO_FACTOR,
    };
    const oidc = oidcSettings && {
      settings: oidcSettings,
      admit: createAdmission(signInDeps, policy),
      onOidcFailure: (err: Error) => log.warn({ err }, "a sign-in with OpenID Connect failed"),
    };
    return createSignIn({
      ...signInDeps,
      scrypt,
      dashboard,
      readSecret,
      isPasswordOff: !config.PASSWORD_SIGN_IN,
      oidc,
    });
  });
  const keyUses = createKeyUseBuffer(deps);
  const refusals = createRefusalBuffer(deps);
  const refusedRequests = createRefusedRequestBuffer(deps);
  const downloadMeter = createDownloadMeter(deps);
  const buffers = [keyUses, refusals, refusedRequests, downloadMeter];
  const requestCounters = createRequestCounters(deps);
  const replica = createReplica({ ...deps, host: hostname(), version: readVersion() });
  const healthReports = [replica.report, requestCounters.flush, signals.flush];
  const uploadFeed = createUploadFeed({
    db: db.lane("list", "upload feed"),
    clock: deps.clock,
    onError: (err) => log.warn({ err }, "reading the newest uploads failed; the feed will try again"),
  });
  const eventWaits = createEventWaits({
    db: db.lane("list", "waits for events"),
    onError: (err) => log.warn({ err }, "looking for new events failed; it will be tried again"),
  });
  const deliverer = createDeliverer({
    ...deps,
    db: db.lane("work", "webhooks"),
    random: Math.random,
    post: metrics?.webhooks.watchPost(post) ?? post,
    traceDelivery: tracing?.deliveries,
    onError: (err) => log.warn({ err }, "a delivery of webhooks failed; it will be tried again"),
  });
  const sharedCounters = await composeCounters(config, log);
  let isDraining = false;
  const app = await createApp({
    ...deps,
    admit: metrics?.uploads.watchAdmit(admit) ?? admit,
    keys: createKeyLookup({ db, clock }),
    log,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
    failingKeysPerMinute: config.FAILING_KEYS_PER_MINUTE,
    sharedCounters,
    connectionsPerClient: config.CONNECTIONS_PER_CLIENT,
    storageEventsSecret: config.STORAGE_EVENTS_SECRET ?? null,
    snsTopics: config.STORAGE_EVENTS_SNS_TOPICS,
    sns: createSns({ agent: snsAgent, timeoutMs: SNS_TIMEOUT_MS }),
    isDraining: () => isDraining,
    signIn: config.REQUIRE_TWO_FACTOR ? requireTwoFactor(lazySignIn(loadSignIn)) : lazySignIn(loadSignIn),
    linkPasswords,
    dashboard,
    dashboardDir: config.DASHBOARD_DIR,
    docsDir,
    docsSiteDir: config.DOCS_SITE_DIR,
    version: replica.version,
    replica,
    storageOrigins: composed.storageOrigins,
    keyUses,
    refusals,
    refusedRequests,
    downloadMeter,
    requestCounters,
    requestTracing: tracing?.requests,
    signals,
    uploadFeed,
    eventWaits,
    trustedProxies: config.TRUSTED_PROXIES,
    strictTransport: strictTransport(config.HSTS_MAX_AGE_SECONDS, config.DASHBOARD_URL),
    requestMetrics: metrics?.requests ?? null,
  });
  const connections = trackConnections(app.server);
  let jobs: Job[] = [];
  let metricsServer: MetricsServer | null = null;
  return {
    app,
    serveMetrics: async () => {
      metricsServer = await listenForMetrics(metrics, config, log);
      return metricsServer?.url ?? null;
    },
    isSetUp: () => isSetUp(deps),
    offerSetup: async () => (await offerSetup({ ...deps, dashboard }))?.url ?? null,
    warmUp: async () => {
      const routes = [
        import("./trpc/request-handler.js"),
        import("./http/export-lists.js"),
        import("./http/openapi/describe-api.js"),
      ];
      await Promise.all([composed.loadStorages(), loadSignIn(), ...routes]);
      // Not at the same time: while code loads, the answers of the database wait.
      const standbys = await db.warmUp();
      if (standbys > 0) log.warn({ connections: standbys }, READS_FROM_STANDBY);
      await composed.requireUsedStorages().catch((err: unknown) => {
        if (err instanceof ConfigError) throw err;
        // The database went down since its schema was checked.
        log.warn({ err }, "it is not known whether all storages of the projects are set up");
      });
    },
    startJobs: () => {
      const onError = (err: unknown, job: string, storage: string | null) =>
        log.warn({ err, job, ...(storage !== null && { storage }) }, "a job failed and will run again");
      jobs = startJobs(
        { ...deps, buffers, healthReports, signals, deliverer, onError, onRunEnd: metrics?.jobs.onRunEnd },
        { sweepIntervalMs: config.SWEEP_INTERVAL_MS, webhooksOn: config.WEBHOOKS },
      );
    },
    startDraining: () => {
      isDraining = true;
      connections.startDraining();
    },
    refuseUnfinishedRequests: connections.refuseUnfinishedRequests,
    close: async (connectionOptions) => {
      // The requests of subscribers never end by themselves. Their browsers reconnect to another replica.
      uploadFeed.close();
      eventWaits.close();
      await Promise.all([
        connections.close(connectionOptions),
        deliverer.stop(),
        ...jobs.map((job) => job.stop()),
      ]);
      await app.close();
      // These statistics are not important enough for an error to stop the shutdown.
      await Promise.allSettled([
        ...[...buffers, requestCounters, signals].map((buffer) => buffer.flush()),
        replica.leave(),
      ]);
      await metricsServer?.close();
      sharedCounters?.close();
      composed.closeStorages();
      await db.close();
    },
  };
}

function portOf(app: FastifyInstance): number | undefined {
  const address = app.server.address();
  return address && typeof address === "object" ? address.port : undefined;
}
