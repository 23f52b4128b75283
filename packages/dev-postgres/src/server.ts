import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "./run-program.js";

/** A running PostgreSQL, ready or not. */
export interface Server {
  process: ChildProcess;
  dataDir: string;
  logFile: string;
  /** Resolves once it has ended. */
  ended: Promise<void>;
}

const START_MS = 60_000;
const STOP_MS = 20_000;

/** @param strangerPid of another process that postmaster.pid names (see leftover.ts) */
export async function spawnServer(
  { command, args, options }: Command,
  { dataDir, logFile, strangerPid }: { dataDir: string; logFile: string; strangerPid: number | undefined },
): Promise<Server> {
  const log = await open(logFile, "a");
  const server = spawn(command, args, {
    ...options,
    // PostgreSQL takes a lock file with this number for a stale one, and still judges whether its memory is in use.
    env: { ...process.env, ...(strangerPid ? { PG_GRANDPARENT_PID: String(strangerPid) } : {}) },
    // Its own process group: Ctrl-C reaches whoever started us, and they stop PostgreSQL last.
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  const ended = once(server, "exit").then(
    () => undefined,
    () => undefined, // it could not even be spawned
  );
  await log.close();
  return { process: server, dataDir, logFile, ended };
}

/**
 * PostgreSQL itself notes its state in the eighth line of postmaster.pid: no log to parse, no connection to try.
 *
 * @throws {Error} when it ends or is not ready within a minute; the signal's reason
 */
export async function waitUntilReady(server: Server, signal: AbortSignal | undefined): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && isRunning(server)) {
    signal?.throwIfAborted();
    const state = await readFile(join(server.dataDir, "postmaster.pid"), "utf8").catch(() => "");
    const [pid, , , , , , , status] = state.split("\n");
    if (Number(pid) === server.process.pid && status?.trim() === "ready") return;
    await sleep(20);
  }
  throw new Error(`PostgreSQL did not start: its own words are in ${server.logFile}`);
}

/**
 * Closes connections, writes what is open and ends the server, or ends it at once when that takes too long.
 *
 * @param askNicely for Windows, which has no signals: what sends the wish
 */
export async function endServer(server: Server, askNicely: () => Promise<void>): Promise<void> {
  if (!isRunning(server)) return;
  if (process.platform === "win32") await askNicely().catch(() => server.process.kill());
  else server.process.kill("SIGINT"); // "fast": by the handle, since postmaster.pid may not be its own yet
  for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
    const outOfTime = sleep(STOP_MS, "out of time", { ref: false });
    if ((await Promise.race([server.ended, outOfTime])) === undefined) return;
    server.process.kill(signal);
  }
}

function isRunning({ process }: Server): boolean {
  return process.pid !== undefined && process.exitCode === null && process.signalCode === null;
}
