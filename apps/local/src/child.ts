import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LocalError } from "./settings.js";
import { shownPath } from "./shown-path.js";

/** One of the processes that make up Stowage on this machine. */
export interface Child {
  name: string;
  /** What it said when it was ready. */
  ready: Record<string, unknown>;
  /** Resolves when the process has ended, however. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

export interface ChildOptions {
  env: Record<string, string>;
  logDir: string;
  /** Gives the start up: what it started is ended, and the promise rejects with the signal's reason. */
  signal: AbortSignal | undefined;
}

const START_MS = 60_000;
const STOP_MS = 20_000;
/** Of what it wrote last, how much is shown when it could not start. */
const TAIL_CHARACTERS = 2000;

/**
 * Starts a Node program of ours and waits for its `{type: "ready"}`. What it writes goes to `<logDir>/<name>.log`. It is
 * in a process group of its own, so Ctrl-C reaches only us and we end them in order; when we die, its IPC channel closes
 * and it ends by itself.
 *
 * @throws {LocalError} with its own last words when it ends before it is ready, or is not ready within a minute; the
 * signal's reason
 */
export async function startChild(
  name: string,
  file: string,
  { env, logDir, signal }: ChildOptions,
): Promise<Child> {
  signal?.throwIfAborted();
  const child = fork(file, [], {
    env: { ...inherited(), AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true", ...env },
    execArgv: [],
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const logFile = join(logDir, `${name}.log`);
  const log = createWriteStream(logFile, { flags: "a", mode: 0o600 });
  log.on("error", () => undefined); // a full disk must not end what still works
  const tails = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (chunk: Buffer) => {
      tails[name] = (tails[name] + chunk.toString("utf8")).slice(-TAIL_CHARACTERS);
      log.write(chunk);
    });
  }
  // "close", not "exit": only then have its last words been read.
  const ended = once(child, "close").then(() => void log.end());

  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= (async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(timer);
    })());
  signal?.addEventListener("abort", stop, { once: true });
  const outcome = await Promise.race([firstWord(child), ended, sleep(START_MS, "too late", { ref: false })]);
  signal?.removeEventListener("abort", stop);
  if (typeof outcome === "object") return { name, ready: outcome, ended, stop };
  await stop();
  signal?.throwIfAborted();
  const why =
    outcome === "too late"
      ? `was not ready within ${START_MS / 1000} s.`
      : `did not start: ${lastLine(tails.stderr || tails.stdout)}`;
  throw new LocalError(`${name} ${why} ${shownPath(logFile)} says more.`);
}

function firstWord(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    child.on("message", (message: { type?: string }) => {
      if (message.type === "ready") resolve(message);
    });
  });
}

/** No setting reaches a child by accident: what it is to know is said. */
function inherited(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "LANG", "SystemRoot"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) || "it said nothing.";
}
