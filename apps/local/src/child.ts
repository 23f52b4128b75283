import { fork } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { LocalError } from "./settings.js";

/** One of the processes that make up Stowage on this machine. */
export interface Child {
  name: string;
  /** What it said when it was ready. */
  ready: Record<string, unknown>;
  /** Resolves when the process has ended, however. */
  ended: Promise<void>;
  stop(): Promise<void>;
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
 * @throws {LocalError} with its own last words when it ends before it is ready, or is not ready within a minute
 */
export async function startChild(
  name: string,
  file: string,
  env: Record<string, string>,
  logDir: string,
): Promise<Child> {
  const child = fork(file, [], {
    env: { ...inherited(), AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true", ...env },
    execArgv: [],
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const log = createWriteStream(join(logDir, `${name}.log`), { flags: "a", mode: 0o600 });
  log.on("error", () => undefined); // a full disk must not end what still works
  let tail = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      tail = (tail + chunk.toString("utf8")).slice(-TAIL_CHARACTERS);
      log.write(chunk);
    });
  }
  const ended = once(child, "exit").then(() => void log.end());

  const ready = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new LocalError(`${name} was not ready within ${START_MS / 1000} s; its log is ${name}.log.`));
    }, START_MS);
    child.on("message", (message: { type?: string }) => {
      if (message.type !== "ready") return;
      clearTimeout(timer);
      resolve(message);
    });
    void ended.then(() => {
      clearTimeout(timer);
      reject(new LocalError(`${name} did not start: ${lastLine(tail)}`));
    });
  });

  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= (async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(timer);
    })());
  return { name, ready, ended, stop };
}

/** No setting reaches a child by accident: what it is to know is said. */
function inherited(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "LANG", "SystemRoot"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "it said nothing.";
}
