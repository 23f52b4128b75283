import { readdir, readFile } from "node:fs/promises";

/**
 * Returns the CPU seconds that a process has used, in user and kernel mode, by all living threads; null if the system does not report
 * it. It reads the scheduler's nanoseconds, because /proc/PID/stat counts in hundredths of a second
 * (https://docs.kernel.org/scheduler/sched-stats.html).
 */
export async function cpuSecondsOf(pid: number): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const threads = await readdir(`/proc/${pid}/task`);
  const nanoseconds = await Promise.all(
    threads.map(async (thread) => {
      const [onCpu = ""] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8")).split(" ");
      return Number(onCpu);
    }),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}

const TICKS_PER_SECOND = 100;

/**
 * Returns the CPU seconds of a process and of its children, also of those that have ended, in hundredths of a second; null if the system
 * does not report it.
 */
export async function cpuSecondsOfFamily(pid: number): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const parent = await readTicks(pid);
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).split(" ").filter(Boolean);
  const ticks = await Promise.all(children.map((child) => readTicks(Number(child))));
  const ofChildren = ticks.reduce((sum, { own }) => sum + own, 0);
  return (parent.own + parent.endedChildren + ofChildren) / TICKS_PER_SECOND;
}

/** Reads `utime`, `stime`, `cutime` and `cstime` of proc_pid_stat(5). The name of the program may contain spaces and brackets. */
async function readTicks(pid: number): Promise<{ own: number; endedChildren: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
  return { own: user + system, endedChildren: childUser + childSystem };
}
