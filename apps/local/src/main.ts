import { once } from "node:events";
import { LocalError, readSettings } from "./settings.js";
import { shownPath } from "./shown-path.js";
import { type Local, startLocal } from "./start-local.js";

/** npm passes Ctrl-C on to us, who got it from the terminal already: only one that comes later is a second wish. */
const SAME_SIGNAL_MS = 1000;

/** Aborted when a person wants it to end. */
const ending = new AbortController();

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  onWishToEnd(() => {
    console.log("\nStopping …");
    ending.abort();
  });
  console.log("Starting …");
  const local = await startLocal(settings, ending.signal);
  if (!ending.signal.aborted) console.log(banner(local));
  const failed = await Promise.race([aborted(ending.signal), local.failed]);
  if (failed !== undefined) {
    console.log(`${failed} ended by itself: stopping the rest. Logs are in ${local.dataDir}/logs.`);
  }
  await local.stop();
  process.exit(failed === undefined ? 0 : 1);
}

/** The first wish is granted in order, the second at once. */
function onWishToEnd(end: () => void): void {
  let askedAt: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (askedAt === undefined) {
        askedAt = Date.now();
        end();
      } else if (Date.now() - askedAt > SAME_SIGNAL_MS) process.exit(1);
    });
  }
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, "abort");
}

function banner(local: Local): string {
  return [
    "",
    "  Stowage is running.",
    "",
    `  Example    ${local.exampleUrl}   a customer's app: drop a file here`,
    `  Dashboard  ${local.dashboardUrl}   ${howToSignIn(local)}`,
    `  Service    ${local.serviceUrl}   the API; the demo project's key is in ${shownPath(local.demoFile)}`,
    local.storeUrl
      ? `  Storage    ${local.storeUrl}   S3 protocol over ${shownPath(local.dataDir)}/store`
      : "  Storage    as S3_ENDPOINT says",
    "",
    "  Ctrl-C ends it all; what was stored stays.",
    "",
  ].join("\n");
}

/** The password stays in its file, as the demo's key does: what stands in a terminal is recorded, shared, kept by CI. */
function howToSignIn({ operator, operatorFile }: Local): string {
  return operator
    ? `sign in as ${operator.email}; the password is in ${shownPath(operatorFile)}`
    : "sign in as you have set it up";
}

main().catch((error: unknown) => {
  if (ending.signal.aborted) process.exit(0); // a start that was given up is no failure
  console.error(error instanceof LocalError ? error.message : error);
  process.exit(1);
});
