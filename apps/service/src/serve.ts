import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { Logger } from "pino";
import type { Service } from "./compose.js";
import { type Config, ConfigError, readConfig } from "./config.js";
import { migrate } from "./db/migrate.js";
import { createLog } from "./lib/log.js";

async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL);
  let service: Service | undefined;

  let stopping = false;
  const stop = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, "draining");
    service?.startDraining();
    if (service) await sleep(config.DRAIN_DELAY_SECONDS * 1000);
    const outOfTime = sleep(config.DRAIN_SECONDS * 1000, "out of time" as const, { ref: false });
    const drained = Promise.resolve(service?.close()).then(() => "drained" as const);
    const end = await Promise.race([drained, outOfTime]);
    log.info({ end }, "stopped");
    process.exit(end === "drained" ? 0 : 1);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
  // Started by another process of ours: when that one dies, nobody else would end this one.
  process.on("disconnect", () => void stop("the parent process ended"));

  // Most of the code is loaded while the database answers.
  const load = async () => (await import("./compose.js")).composeService(config, log);
  [, service] = await Promise.all([migrated(config, log), load()]);
  await listen(service, config);
  await service.warmUp();
  expectShortLives();
  service.startJobs();
  const setupUrl = await service.offerSetup();
  // Not through the log, which is kept and shipped: whoever reads this link first owns the installation.
  if (setupUrl !== null) process.stderr.write(`No operator yet: the first one is made at ${setupUrl}\n`);
  if (process.connected)
    process.send?.({ type: "ready", port: (service.app.server.address() as AddressInfo).port, setupUrl });
}

/**
 * What a request makes seldom outlives it. V8 guesses otherwise from a busy second, makes some of it old from birth, and then
 * has to stop for its full collections every few seconds (`bench/notes.md`). Told when all code is loaded, because code
 * that was compiled beforehand is not used under other flags.
 */
function expectShortLives(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}

async function migrated(config: Config, log: Logger): Promise<void> {
  try {
    await migrate(config.DATABASE_URL, config.DATABASE_TIMEOUT_MS);
  } catch (error) {
    log.fatal({ err: error }, "the database could not be migrated");
    const { code, name } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `The database that DATABASE_URL names cannot be reached or migrated (${code ?? name}).`,
    );
  }
}

async function listen(
  { app }: Service,
  { HOST: host, PORT: port }: { HOST: string; PORT: number },
): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `listening on ${address}` });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new ConfigError(
        `Port ${port} is already taken: end what listens there, or set PORT to another one.`,
      );
    }
    throw new ConfigError(`Listening on HOST ${host} and PORT ${port} is not possible here (${code}).`);
  }
}

serve().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
