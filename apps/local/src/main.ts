import { relative } from "node:path";
import { LocalError, readSettings } from "./settings.js";
import { type Local, startLocal } from "./start-local.js";

/** npm passes Ctrl-C on to us, who got it from the terminal already: only one that comes later is a second wish. */
const SAME_SIGNAL_MS = 1000;

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  let wanted: "run" | "stop" = "run";
  let askedAt = 0;
  let stopNow: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stopNow = resolve;
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (wanted === "stop" && Date.now() - askedAt > SAME_SIGNAL_MS) process.exit(1);
      if (wanted === "run") askedAt = Date.now();
      wanted = "stop";
      stopNow();
    });
  }

  console.log("Starting …");
  const local = await startLocal(settings);
  if (wanted === "run") console.log(banner(local));
  const failed = await Promise.race([stopped.then(() => undefined), local.failed]);
  console.log(
    failed === undefined
      ? "\nStopping …"
      : `${failed} ended by itself: stopping the rest. Logs are in ${local.dataDir}/logs.`,
  );
  await local.stop();
  process.exit(failed === undefined ? 0 : 1);
}

function banner(local: Local): string {
  const here = (path: string) => relative(process.cwd(), path) || ".";
  return [
    "",
    "  Stowage is running.",
    "",
    `  Example    ${local.exampleUrl}   a customer's app: drop a file here`,
    `  Service    ${local.serviceUrl}   the API; the demo project's key is in ${here(local.demoFile)}`,
    local.storeUrl
      ? `  Storage    ${local.storeUrl}   S3 protocol over ${here(local.dataDir)}/store`
      : "  Storage    as S3_ENDPOINT says",
    "",
    "  Ctrl-C ends it all; what was stored stays.",
    "",
  ].join("\n");
}

main().catch((error: unknown) => {
  console.error(error instanceof LocalError ? error.message : error);
  process.exit(1);
});
