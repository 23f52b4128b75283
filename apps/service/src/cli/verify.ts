import { type Profile, profiles, type Result } from "@stowage/acceptance";
import { type Command, Option } from "commander";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { readVersion } from "#version.js";
import { httpUrl, origins, seconds } from "./arguments.js";
import { type CommonOptions, createCommand } from "./command.js";
import { printJson, visible } from "./print.js";

interface Options extends CommonOptions {
  key?: string;
  profile: Profile;
  origin?: string[];
  preset?: string;
  only?: string;
  requestTimeout?: number;
  timeLimit?: number;
}

const EXIT_CODE_FAILURES = 1;
const EXIT_CODE_CANNOT_RUN = 2;

/** `stowage verify`: exits with 0 if all cases pass, with 1 after failures, and with 2 if the cases could not be asked. */
export function verifyCommand(env: Environment): Command {
  return createCommand(
    "verify",
    "ask a running service some 250 questions over HTTP, as a customer's backend does",
  )
    .argument("<url>", "address of the service", httpUrl)
    .option("--key <key>", "API key of a project; better in STOWAGE_API_KEY, which other users cannot see")
    .addOption(
      new Option("--profile <profile>", "smoke: one file; core: every call; full: also large and concurrent")
        .choices([...profiles])
        .default("core"),
    )
    .option("--origin <origin>", "origin of your pages, to check the CORS rules of the bucket", origins)
    .option("--preset <name>", "image preset of the project, to check its variants")
    .option("--only <text>", "only cases whose name contains this text")
    .option("--request-timeout <seconds>", "how long a request may take (default: 30)", seconds)
    .option("--time-limit <seconds>", "how long all cases may take (default: 900)", seconds)
    .action((url: string, options: Options) => run(url, options, env));
}

async function run(url: string, options: Options, env: Environment): Promise<void> {
  const { casesOf, CannotRun, toJson, toText, verify } = await import("@stowage/acceptance");
  const { profile, only, origin, preset, requestTimeout, timeLimit } = options;
  const interruption = listenForInterrupt();
  try {
    const key = options.key ?? env["STOWAGE_API_KEY"];
    if (!key) throw new CannotRun("Give the API key of a project in STOWAGE_API_KEY or with --key.");
    if (casesOf(profile, only).length === 0)
      throw new CannotRun("No case of this profile has the text of --only.");
    const report = await verify(
      { url, key, origin: origin?.at(-1), preset },
      {
        profile,
        only,
        signal: interruption.signal,
        requestTimeoutMs: requestTimeout && requestTimeout * 1000,
        timeLimitMs: timeLimit && timeLimit * 1000,
        onResult: options.json ? undefined : showProgress,
      },
    );
    if (options.json) printJson(toJson(report, readVersion()));
    else console.log(toText(report, readVersion()).split("\n").map(visible).join("\n"));
    const has = (outcome: Result["outcome"]) => report.results.some((one) => one.outcome === outcome);
    if (has("failed") || report.cleanUp.left.length > 0) process.exitCode = EXIT_CODE_FAILURES;
    else if (has("not asked")) process.exitCode = EXIT_CODE_CANNOT_RUN;
  } catch (error) {
    const isInterrupted = interruption.signal.aborted;
    if (!(error instanceof CannotRun) && !(error instanceof ConfigError) && !isInterrupted) throw error;
    console.error(isInterrupted ? "Interrupted before the first case." : (error as Error).message);
    process.exitCode = EXIT_CODE_CANNOT_RUN;
  } finally {
    interruption.stop();
  }
}

/** The first Ctrl-C ends the cases, and what they created is deleted. The second one ends the process. */
function listenForInterrupt() {
  const controller = new AbortController();
  const interrupt = () => {
    console.error("\nInterrupted. Deleting what the run created. Ctrl-C again leaves it behind.");
    controller.abort();
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  return {
    signal: controller.signal,
    stop: () => void process.off("SIGINT", interrupt).off("SIGTERM", interrupt),
  };
}

/** One line on stderr that counts, and only on a terminal: a log would get every step of it. */
function showProgress({ topic, name }: Result, done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const line = `${done}/${total}  ${topic}: ${name}`.slice(0, (process.stderr.columns ?? 80) - 1);
  process.stderr.write(`\r\u001b[K${done === total ? "" : line}`);
}
