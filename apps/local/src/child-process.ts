import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { displayPath } from "./display-path.js";
import { LocalError } from "./settings.js";

/** A Node process of this repository that reported that it is ready. */
export interface Child {
  name: string;
  /** The `{type: "ready"}` message that the process sent. */
  ready: Record<string, unknown>;
  /** Resolves when the process has ended, for any reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

export interface ChildOptions {
  /** @default none */
  args?: string[];
  env: Record<string, string>;
  logDir: string;
  /** Cancels the start: the process is stopped, and the promise rejects with the signal's reason. */
  signal: AbortSignal | undefined;
}

const START_MS = 60_000;
const STOP_MS = 20_000;
/** How much of the latest output is kept for the error message of a failed start. */
const OUTPUT_TAIL_CHARACTERS = 2000;

/**
 * Starts one of our Node programs and waits for its `{type: "ready"}` message. Its output is appended to
 * `<logDir>/<name>.log`. The process gets its own process group: Ctrl-C in the terminal reaches only the parent, which then
 * stops the children in order. If the parent is killed, the IPC channel closes and the child ends itself.
 *
 * @throws {LocalError} with the last line of its output if it ends before it is ready, or if it is not ready within a minute
 * @throws the signal's reason if the signal aborts
 */
export async function startChild(
  name: string,
  file: string,
  { args = [], env, logDir, signal }: ChildOptions,
): Promise<Child> {
  signal?.throwIfAborted();
  const child = fork(file, args, {
    env: { ...inheritedEnv(), AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true", ...env },
    execArgv: [],
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const logFile = join(logDir, `${name}.log`);
  const tails = logOutput(child, logFile);
  // "close" instead of "exit": only "close" guarantees that all output has been read.
  const ended = once(child, "close").then(() => undefined);

  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopChild(child, ended));
  signal?.addEventListener("abort", stop, { once: true });
  const timeout = sleep(START_MS, "timeout" as const, { ref: false });
  const outcome = await Promise.race([readyMessage(child), ended, timeout]);
  signal?.removeEventListener("abort", stop);
  if (typeof outcome === "object") return { name, ready: outcome, ended, stop };

  await stop();
  signal?.throwIfAborted();
  const reason =
    outcome === "timeout"
      ? `was not ready within ${START_MS / 1000} s.`
      : `did not start: ${lastLine(tails.stderr || tails.stdout)}`;
  throw new LocalError(`${name} ${reason} See the log: ${displayPath(logFile)}`);
}

/** Only these variables are inherited, so that no setting reaches a child unintentionally. */
function inheritedEnv(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "LANG", "SystemRoot"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** @returns the latest output of each stream, updated while the child runs */
function logOutput(child: ChildProcess, logFile: string): { stdout: string; stderr: string } {
  const log = createWriteStream(logFile, { flags: "a", mode: 0o600 });
  log.on("error", () => undefined); // a full disk must not stop a running child
  const tails = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.on("data", (chunk: Buffer) => {
      tails[stream] = (tails[stream] + chunk.toString("utf8")).slice(-OUTPUT_TAIL_CHARACTERS);
      log.write(chunk);
    });
  }
  child.once("close", () => log.end());
  return tails;
}

function readyMessage(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    child.on("message", (message: { type?: string }) => {
      if (message.type === "ready") resolve(message);
    });
  });
}

/** Asks the child to end, and kills it if it has not ended after 20 s. */
async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(timer);
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) || "it printed nothing.";
}
