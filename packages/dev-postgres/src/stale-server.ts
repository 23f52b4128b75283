import { execFile } from "node:child_process";
import { readFile, readlink, realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";

/**
 * Stops the server that an earlier, killed parent left behind. The process ID in postmaster.pid alone does not identify it:
 * after a crash or a reboot an unrelated process may have the same ID.
 *
 * @param stop stops the server that postmaster.pid names
 * @returns the ID of an unrelated process, which is not stopped
 */
export async function stopStaleServer(
  dataDir: string,
  stop: () => Promise<void>,
): Promise<number | undefined> {
  const pid = await readPid(dataDir);
  if (pid === undefined || !isAlive(pid)) return undefined; // PostgreSQL itself replaces the file of a dead process
  if (!(await isServerOf(dataDir, pid))) return pid;
  await stop().catch(() => undefined); // it may have ended in the meantime; otherwise the start fails
  return undefined;
}

/** Reads the first line of postmaster.pid. A crash may have left any content. */
async function readPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number(text.split("\n", 1)[0]);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function isServerOf(dataDir: string, pid: number): Promise<boolean> {
  // On Windows pg_ctl uses a named pipe with that ID, which only PostgreSQL opens.
  if (process.platform === "win32") return true;
  try {
    if (process.platform !== "linux") {
      const { stdout } = await promisify(execFile)("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
      return stdout.includes("postgres -D ") && stdout.includes(dataDir);
    }
    // The working directory of a server is its data folder, and its first argument is its own path.
    const [folder, commandLine] = await Promise.all([
      readlink(`/proc/${pid}/cwd`),
      readFile(`/proc/${pid}/cmdline`, "utf8"),
    ]);
    const program = basename(commandLine.split("\0", 1)[0] ?? "");
    return program === "postgres" && folder === (await realpath(dataDir));
  } catch {
    return false; // the process has ended, or belongs to another user
  }
}
