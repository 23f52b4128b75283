import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { composeService } from "./compose.js";
import { ConfigError, readConfig } from "./config.js";
import { migrate } from "./db/migrate.js";
import { createLog } from "./log.js";

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL);
  try {
    await migrate(config.DATABASE_URL, config.DATABASE_TIMEOUT_MS);
  } catch (error) {
    log.fatal({ err: error }, "the database could not be migrated");
    throw new ConfigError(
      "The database that DATABASE_URL names cannot be reached or migrated; the log line above says why.",
    );
  }
  const service = await composeService(config, log);
  const { app } = service;
  try {
    await app.listen({
      host: config.HOST,
      port: config.PORT,
      listenTextResolver: (address) => `listening on ${address}`,
    });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EADDRINUSE"
      ? new ConfigError(
          `Port ${config.PORT} is already taken: end what listens there, or set PORT to another one.`,
        )
      : error;
  }
  service.startJobs();
  process.send?.({ type: "ready", port: (app.server.address() as AddressInfo).port });

  let stopping = false;
  const stop = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, "draining");
    service.startDraining();
    const outOfTime = sleep(config.DRAIN_SECONDS * 1000, "out of time" as const, { ref: false });
    const end = await Promise.race([service.close().then(() => "drained" as const), outOfTime]);
    log.info({ end }, "stopped");
    process.exit(end === "drained" ? 0 : 1);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
  // Started by another process of ours: when that one dies, nobody else would end this one.
  process.on("disconnect", () => void stop("the parent process ended"));
}

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
