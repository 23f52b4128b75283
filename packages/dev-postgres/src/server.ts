import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "./run-program.js";

/** A PostgreSQL server process, which may not be ready yet. */
export interface Server {
  process: ChildProcess;
  dataDir: string;
  logFile: string;
  /** Resolves when the process has ended. */
  ended: Promise<void>;
}

const START_MS = 60_000;
const STOP_MS = 20_000;

/** @param unrelatedPid the process in postmaster.pid that is not a server of this folder (see stale-server.ts) */
export async function spawnServer(
  { command, args, options }: Command,
  { dataDir, logFile, unrelatedPid }: { dataDir: string; logFile: string; unrelatedPid: number | undefined },
): Promise<Server> {
  const log = await open(logFile, "a");
  const server = spawn(command, args, {
    ...options,
    // PostgreSQL ignores a lock file with this process ID, and still checks whether its shared memory is in use.
    env: { ...process.env, ...(unrelatedPid ? { PG_GRANDPARENT_PID: String(unrelatedPid) } : {}) },
    // Its own process group: Ctrl-C in the terminal reaches only the parent, which stops PostgreSQL last.
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  const ended = once(server, "exit").then(
    () => undefined,
    () => undefined, // the process could not be spawned
  );
  await log.close();
  return { process: server, dataDir, logFile, ended };
}

/**
 * Waits until the server accepts connections. PostgreSQL writes its state to the eighth line of postmaster.pid.
 *
 * @throws {Error} if the server ends or is not ready within a minute
 * @throws the signal's reason if the signal aborts
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
  throw new Error(`PostgreSQL did not start. See its log: ${server.logFile}`);
}

/**
 * Stops the server with a fast shutdown: it closes all connections and writes its data. A server that does not end in time is
 * killed.
 *
 * @param requestStop requests the shutdown on Windows, which has no signals
 */
export async function endServer(server: Server, requestStop: () => Promise<void>): Promise<void> {
  if (!isRunning(server)) return;
  if (process.platform === "win32") await requestStop().catch(() => server.process.kill());
  else server.process.kill("SIGINT"); // a fast shutdown; by the handle, since postmaster.pid may still name another process
  for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
    const timeout = sleep(STOP_MS, "timeout" as const, { ref: false });
    if ((await Promise.race([server.ended, timeout])) !== "timeout") return;
    server.process.kill(signal);
  }
}

function isRunning({ process }: Server): boolean {
  return process.pid !== undefined && process.exitCode === null && process.signalCode === null;
}
