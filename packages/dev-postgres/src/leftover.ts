import { execFile } from "node:child_process";
import { readFile, readlink, realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";

/**
 * Ends the server that an earlier, killed parent left behind. Its number in postmaster.pid is not enough to know it by:
 * after a crash or a reboot another process may have that number.
 *
 * @param stop ends the server that postmaster.pid names
 * @returns the number of such another process, which is left alone
 */
export async function endLeftover(dataDir: string, stop: () => Promise<void>): Promise<number | undefined> {
  const pid = await notedPid(dataDir);
  if (pid === undefined || !isAlive(pid)) return undefined; // PostgreSQL itself replaces the file of the dead
  if (!(await isServerOf(dataDir, pid))) return pid;
  await stop().catch(() => undefined); // it may end by itself meanwhile; if it does not, the start says so
  return undefined;
}

/** The first line of postmaster.pid, which a crash may have left in any state. */
export async function notedPid(dataDir: string): Promise<number | undefined> {
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
  // There pg_ctl speaks to a pipe of that number, which a PostgreSQL alone opens.
  if (process.platform === "win32") return true;
  try {
    if (process.platform !== "linux") {
      const { stdout } = await promisify(execFile)("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
      return stdout.includes("postgres -D ") && stdout.includes(dataDir);
    }
    // A PostgreSQL works in its data folder, and its first argument is its own path.
    const [folder, commandLine] = await Promise.all([
      readlink(`/proc/${pid}/cwd`),
      readFile(`/proc/${pid}/cmdline`, "utf8"),
    ]);
    const program = basename(commandLine.split("\0", 1)[0] ?? "");
    return program === "postgres" && folder === (await realpath(dataDir));
  } catch {
    return false; // it has ended, or belongs to somebody else
  }
}
