import type { Command } from "commander";
import { composeScanWorker } from "#compose-cli.js";
import { ConfigError, type Environment, readConfig } from "#config.js";
import { createStdoutLog } from "#lib/log.js";
import { createCommand, withDeps } from "./command.js";

/** `stowage worker`: scans files for viruses until it gets SIGTERM or SIGINT. */
export function workerCommand(env: Environment): Command {
  return createCommand(
    "worker",
    "scan the files of projects whose setting scan is clamav, with the clamd of CLAMAV_URL",
  ).action(async () => {
    const config = readConfig(env);
    const { CLAMAV_URL: clamavUrl } = config;
    if (clamavUrl === undefined) throw new ConfigError("The setting CLAMAV_URL is required.");
    const log = createStdoutLog(config.LOG_LEVEL);
    await withDeps(await composeScanWorker({ ...config, CLAMAV_URL: clamavUrl }, log), async (worker) => {
      await worker.serveMetrics();
      const job = worker.start();
      log.info("scanning");
      // `npm start` waits for this message.
      process.send?.({ type: "ready" });
      log.info({ reason: await stopRequest() }, "stopping");
      await job.stop();
    });
    process.disconnect?.();
  });
}

function stopRequest(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
    // If another process started this one and dies, this process must end too.
    process.once("disconnect", () => resolve("the parent process ended"));
  });
}
