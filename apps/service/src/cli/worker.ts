import { setFlagsFromString } from "node:v8";
import type { Command } from "commander";
import { composeWorker } from "#compose-cli.js";
import type { Environment } from "#settings/parse-settings.js";
import { readConfig } from "#config.js";
import { createStdoutLog } from "#lib/log.js";
import { createCommand, withDeps } from "./command.js";

/** `stowage worker`: makes image variants, and scans files for viruses, until it gets SIGTERM or SIGINT. */
export function workerCommand(env: Environment): Command {
  return createCommand(
    "worker",
    "make image variants, and with CLAMAV_URL scan the files of projects whose setting scan is clamav",
  ).action(async () => {
    const config = readConfig(env);
    const log = createStdoutLog(config.LOG_LEVEL);
    await withDeps(await composeWorker(config, log), async (worker) => {
      await worker.serveMetrics();
      const job = await worker.start();
      allowLargeBuffers();
      log.info(
        config.CLAMAV_URL === undefined ? "making image variants" : "making image variants and scanning",
      );
      // `npm start` waits for this message.
      process.send?.({ type: "ready" });
      log.info({ reason: await stopRequest() }, "stopping");
      await job.stop();
    });
    process.disconnect?.();
  });
}

/**
 * Lets the heap and its buffers grow to five times what lives, about 80 MB. V8 would otherwise collect the whole small heap after every
 * four photos, which takes a tenth of the CPU of a variant (`lab/bench/notes.md`).
 */
function allowLargeBuffers(): void {
  setFlagsFromString("--heap-growing-percent=400");
}

function stopRequest(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
    // If another process started this one and dies, this process must end too.
    process.once("disconnect", () => resolve("the parent process ended"));
  });
}
