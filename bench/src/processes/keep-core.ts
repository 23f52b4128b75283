import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Has processes that share a core each keep it until it waits for something, at most for 100 ms (Linux's SCHED_RR), and no longer
 * take it from each other every few: what one of them costs is then what it costs on a core of its own. For all of their threads.
 *
 * @returns how to have them take it from each other again
 * @throws {Error} where nobody may ask for it, as on most systems but by root on Linux
 */
export async function keepCore(pids: number[]): Promise<() => Promise<void>> {
  const change = async (policy: "--rr" | "--other", priority: string) => {
    for (const pid of pids) await run("chrt", [policy, "--all-tasks", "--pid", priority, String(pid)]);
  };
  await change("--rr", "1");
  return () => change("--other", "0");
}

/** Whether this user may have a process do so. */
export async function mayKeepCore(pid: number): Promise<boolean> {
  try {
    const giveBack = await keepCore([pid]);
    await giveBack();
    return true;
  } catch {
    return false;
  }
}
