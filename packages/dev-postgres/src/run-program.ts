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
  /** Ends the program, and all that it started, before the promise rejects. */
  signal?: AbortSignal | undefined;
}

const RUN_MS = 120_000;
const END_MS = 5000;
const TAIL_CHARACTERS = 2000;
const isWindows = process.platform === "win32";

/**
 * Runs a program to its end, within two minutes, in a process group of its own: Ctrl-C reaches whoever started us, and
 * they say what becomes of it.
 *
 * @throws {Error} with the program's last words when it fails; the signal's reason when it is given up
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
  const endGroup = (signal: NodeJS.Signals) => () => {
    try {
      if (isWindows || child.pid === undefined) child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // It has ended by itself in the meantime.
    }
  };
  const end = endGroup("SIGTERM");
  const endNow = endGroup("SIGKILL");
  let killTimer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    end();
    killTimer ??= setTimeout(endNow, END_MS);
  };
  const timer = setTimeout(giveUp, RUN_MS);
  process.once("exit", end); // whoever gives us up for good cannot wait for it
  run.signal?.addEventListener("abort", giveUp);
  let tail = "";
  child.stderr?.on(
    "data",
    (chunk: Buffer) => (tail = (tail + chunk.toString("utf8")).slice(-TAIL_CHARACTERS)),
  );
  // A program that does not read its input may close it first; its exit code says how it went.
  child.stdin?.on("error", () => undefined).end(run.stdin ?? "");
  try {
    // "close", not "exit": what it started writes to the same pipe, and has ended as well once that is closed.
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    run.signal?.throwIfAborted();
    if (code !== 0) throw new Error(`${basename(command)} ended with ${code ?? signal}: ${tail.trim()}`);
  } finally {
    clearTimeout(timer);
    clearTimeout(killTimer);
    process.off("exit", end);
    run.signal?.removeEventListener("abort", giveUp);
  }
}
