import { once } from "node:events";
import { displayPath } from "./display-path.js";
import { type Installation, LocalError, readSettings } from "./settings.js";
import { type Local, startLocal } from "./start-local.js";

export type { Local };

export interface RunOptions {
  installation: Installation;
  /** Lines that say what the person can do next, printed after the addresses. @default none */
  nextSteps?: (local: Local) => string[];
}

/** npm forwards Ctrl-C to this process, which already got it from the terminal. A signal within this time is such a copy. */
const DUPLICATE_SIGNAL_MS = 1000;

/** Starts everything, prints what runs where, and ends this process after Ctrl-C, or when a part has failed. */
export async function runLocal(options: RunOptions): Promise<void> {
  /** Aborted by the first signal. */
  const ending = new AbortController();
  try {
    await run(options, ending);
  } catch (error) {
    if (ending.signal.aborted) process.exit(0); // the person cancelled the start, which is not an error
    console.error(error instanceof LocalError ? error.message : error);
    process.exit(1);
  }
}

async function run({ installation, nextSteps }: RunOptions, ending: AbortController): Promise<void> {
  // A closed terminal or pipe must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const settings = readSettings(process.env, installation);
  onStopSignal(() => {
    console.log("\nStopping …");
    ending.abort();
  });
  console.log("Starting …");
  const local = await startLocal(settings, ending.signal);
  if (!ending.signal.aborted) console.log(banner(local, nextSteps?.(local) ?? []));
  const failed = await Promise.race([aborted(ending.signal), local.failed]);
  if (failed !== undefined) {
    console.log(`${failed} ended unexpectedly. Stopping everything. The logs are in ${local.dataDir}/logs.`);
  }
  await local.stop();
  process.exit(failed === undefined ? 0 : 1);
}

/** The first signal stops everything in order; a second one exits immediately. */
function onStopSignal(stop: () => void): void {
  let firstSignalAt: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (firstSignalAt === undefined) {
        firstSignalAt = Date.now();
        stop();
      } else if (Date.now() - firstSignalAt > DUPLICATE_SIGNAL_MS) {
        process.exit(1);
      }
    });
  }
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, "abort");
}

function banner(local: Local, nextSteps: string[]): string {
  return [
    "",
    "  Stowage is running.",
    "",
    ...(local.exampleUrl ? [`  Example    ${local.exampleUrl}   a customer's app: upload a file here`] : []),
    `  Dashboard  ${local.dashboardUrl}   ${signInHint(local)}`,
    `  Service    ${local.serviceUrl}   the API; the demo project's API key is in ${displayPath(local.demoFile)}`,
    local.storeUrl
      ? `  Storage    ${local.storeUrl}   S3 protocol; the files are in ${displayPath(local.dataDir)}/store`
      : `  Storage    ${local.storage["STORAGES_FILE"] ? "the storages of your STORAGES_FILE setting" : "the S3 storage of your S3_ENDPOINT setting"}`,
    "",
    ...nextSteps.map((step) => `  ${step}`),
    ...(nextSteps.length > 0 ? [""] : []),
    "  Press Ctrl-C to stop. Your data is kept for the next start.",
    "",
  ].join("\n");
}

/** The password is not printed, because terminal output may be recorded or shared. The file holds it instead. */
function signInHint({ operator, operatorFile }: Local): string {
  return operator
    ? `sign in as ${operator.email}; the password is in ${displayPath(operatorFile)}`
    : "sign in with your own account";
}
