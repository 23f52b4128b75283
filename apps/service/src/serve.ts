import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { Logger } from "pino";
import type { Service } from "./compose.js";
import { describeError } from "./cli/report-error.js";
import { ConfigError } from "./settings/parse-settings.js";
import {
  type Config,
  isTracingOn,
  passwordSourceOf,
  readConfig,
  readEgressConfig,
  readMigrationConfig,
  toListenError,
} from "./config.js";
import { ConnectionError } from "./db/driver/connection-error.js";
import { openPasswordSource } from "./db/driver/password-source.js";
import { migrate, requireCurrentSchema, SchemaOutdatedError } from "./db/migrate.js";
import { installProxyOf } from "./lib/egress-proxy.js";
import { createStdoutLog } from "./lib/log.js";
import { readVersion } from "./version.js";
import type { Tracing } from "./telemetry/tracing/tracing.js";

async function serve(): Promise<void> {
  const config = readConfig(process.env);
  installProxyOf(readEgressConfig(process.env));
  const tracing = isTracingOn(config) ? await loadTracing(config, (message) => log.warn(message)) : undefined;
  const log = createStdoutLog(config.LOG_LEVEL, tracing?.logFields);
  keepServingWithoutOutput();
  let listening: Service | undefined;

  let isStopping = false;
  const stop = async (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, "draining");
    // Before the service listens it has accepted no request, and PostgreSQL undoes a migration that is not committed.
    const end = listening ? await drain(listening, started, config, tracing) : "drained";
    log.info({ end }, "stopped");
    process.exit(end === "drained" ? 0 : 1);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
  // If another process started this one and dies, the IPC channel closes, and this process must end too.
  process.on("disconnect", () => void stop("the parent process ended"));

  const started = start(config, log, tracing, (service) => {
    listening = service;
  });
  await started;
}

async function start(
  config: Config,
  log: Logger,
  tracing: Tracing | undefined,
  onListening: (service: Service) => void,
): Promise<void> {
  // Loads most of the code while the database answers.
  const load = async () => (await import("./compose.js")).composeService(config, log, { tracing });
  const [, service] = await Promise.all([prepareSchema(config, log), load()]);
  await service.serveMetrics();
  await service.warmUp();
  await listen(service, config);
  onListening(service);
  disablePretenuring();
  service.startJobs();
  const setupUrl = await announceSetup(service, log);
  if (process.connected) {
    process.send?.({ type: "ready", port: (service.app.server.address() as AddressInfo).port, setupUrl });
  }
}

/** Loads OpenTelemetry, which takes longer than the rest of the start, only for a service that traces. */
async function loadTracing(config: Config, onProblem: (message: string) => void): Promise<Tracing> {
  const { startTracing } = await import("./telemetry/tracing/start-tracing.js");
  return startTracing({
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    version: readVersion(),
    onProblem,
  });
}

/** A proxy that has sent no request for this long will hardly send one at the moment at which its connection is closed. */
const CLOSE_AFTER_IDLE_MS = 500;
const REFUSAL_MS = 500;
/** How long the last spans may take, in the rest of DRAIN_SECONDS. */
const LAST_SPANS_MS = 3000;

/** Ends the service without cutting a request. */
async function drain(
  service: Service,
  started: Promise<void>,
  { DRAIN_DELAY_SECONDS, DRAIN_SECONDS }: Config,
  tracing: Tracing | undefined,
): Promise<"drained" | "out of time"> {
  service.startDraining();
  await Promise.all([sleep(DRAIN_DELAY_SECONDS * 1000), started]);
  const idleMs = Math.min(CLOSE_AFTER_IDLE_MS, DRAIN_SECONDS * 500);
  // Without a delay proxies still have connections that they can use again.
  const reuseMs = DRAIN_DELAY_SECONDS === 0 ? 0 : idleMs;
  const closed = service.close({ idleMs, reuseMs }).then(() => "drained" as const);
  const startedAt = performance.now();
  const end = await Promise.race([closed, outOfTime(DRAIN_SECONDS * 1000)]);
  if (end === "drained") {
    const restMs = DRAIN_SECONDS * 1000 - (performance.now() - startedAt);
    await tracing?.shutdown(Math.max(0, Math.min(restMs, LAST_SPANS_MS)));
    return end;
  }
  service.refuseUnfinishedRequests();
  return Promise.race([closed, outOfTime(REFUSAL_MS)]);
}

const outOfTime = (ms: number) => sleep(ms, "out of time" as const, { ref: false });

/** A reader of stdout or stderr that is gone must not end the service. Both streams are also made non-blocking by this. */
function keepServingWithoutOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/**
 * Tells how to create the first operator. The first person who opens the link becomes the admin, so only a terminal or the process
 * that started this one gets it. Any other stderr is stored, such as the log of a container.
 *
 * @returns the link for the process that started this one
 */
async function announceSetup(service: Service, log: Logger): Promise<string | null> {
  if (process.connected) return service.offerSetup();
  // A database that went down since the schema was checked does not end a service that can serve again soon.
  const isSetUp = await service.isSetUp().catch((err: unknown) => {
    log.warn({ err }, "it is not known whether there is an operator");
    return true;
  });
  if (isSetUp) return null;
  const setupUrl = process.stderr.isTTY ? await service.offerSetup() : null;
  process.stderr.write(
    setupUrl === null
      ? "No operator yet. Run stowage operator setup-link with the service's settings to get a link that creates the first one.\n"
      : `No operator yet. Create the first one at ${setupUrl}\n`,
  );
  return null;
}

/**
 * Stops V8 from allocating a request's objects in the old generation. They rarely outlive the request, and V8 would otherwise
 * pause for a full collection every few seconds under load (`lab/bench/notes.md`). Call it after all code is loaded, because V8 does not
 * use its compile cache under changed flags.
 */
function disablePretenuring(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}

/** Migrates the database, or with MIGRATE=off only checks its schema. */
async function prepareSchema(config: Config, log: Logger): Promise<void> {
  const timeoutMs = config.DATABASE_TIMEOUT_MS;
  const { url, setting, password } = config.MIGRATE
    ? readMigrationConfig(process.env)
    : { url: config.DATABASE_URL, setting: "DATABASE_URL", password: passwordSourceOf(config) };
  const readPassword = password && openPasswordSource(password, { url, timeoutMs });
  const action = config.MIGRATE ? "migrated" : "checked";
  try {
    await (config.MIGRATE ? migrate : requireCurrentSchema)(url, timeoutMs, { readPassword });
  } catch (error) {
    log.fatal({ err: error }, `the database was not ${action}`);
    const reason = describeError(error).replace("DATABASE_URL", setting);
    const isWholeSentence = error instanceof SchemaOutdatedError || error instanceof ConnectionError;
    throw new ConfigError(isWholeSentence ? reason : `The database was not ${action}. ${reason}`);
  }
}

async function listen(
  { app }: Service,
  { HOST: host, PORT: port }: { HOST: string; PORT: number },
): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `listening on ${address}` });
  } catch (error) {
    throw toListenError(error, { host, port });
  }
}

serve().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
