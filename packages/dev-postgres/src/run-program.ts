import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";

export interface Command {
  command: string;
  args: string[];
  options: SpawnOptions;
}

export interface RunOptions {
  stdin?: string;
  /** Cancels the run: the program and its children are ended before the promise rejects. */
  signal?: AbortSignal | undefined;
}

const RUN_MS = 120_000;
const KILL_DELAY_MS = 5000;
const TAIL_CHARACTERS = 2000;
const isWindows = process.platform === "win32";

/**
 * Runs a program, for two minutes at most. It gets its own process group, so Ctrl-C in the terminal reaches only the parent,
 * which then decides what happens to the program.
 *
 * @throws {Error} with the end of its error output if it fails
 * @throws the signal's reason if the signal aborts
 */
export async function runProgram({ command, args, options }: Command, run: RunOptions = {}): Promise<void> {
  run.signal?.throwIfAborted();
  const child = spawn(command, args, {
    ...options,
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
    cwd: "/",
    detached: !isWindows,
    windowsHide: true,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const signalGroup = (signal: NodeJS.Signals) => () => {
    try {
      if (isWindows || child.pid === undefined) child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // The program has ended in the meantime.
    }
  };
  const terminate = signalGroup("SIGTERM");
  const kill = signalGroup("SIGKILL");
  let killTimer: NodeJS.Timeout | undefined;
  const cancel = () => {
    terminate();
    killTimer ??= setTimeout(kill, KILL_DELAY_MS);
  };
  const timer = setTimeout(cancel, RUN_MS);
  process.once("exit", terminate); // our own exit cannot wait for the program
  run.signal?.addEventListener("abort", cancel);
  let tail = "";
  child.stderr?.on(
    "data",
    (chunk: Buffer) => (tail = (tail + chunk.toString("utf8")).slice(-TAIL_CHARACTERS)),
  );
  // A program that does not read its input may close the pipe. Its exit code tells whether it succeeded.
  child.stdin?.on("error", () => undefined).end(run.stdin ?? "");
  try {
    // "close" instead of "exit": children of the program use the same pipe, so they have ended as well when it is closed.
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    run.signal?.throwIfAborted();
    if (code !== 0) throw new Error(`${basename(command)} failed with ${code ?? signal}: ${tail.trim()}`);
  } finally {
    clearTimeout(timer);
    clearTimeout(killTimer);
    process.off("exit", terminate);
    run.signal?.removeEventListener("abort", cancel);
  }
}
