import { readdir, readFile } from "node:fs/promises";

/**
 * CPU seconds that a process has used so far, in user and in kernel mode, by all threads that it still has; null where the system
 * does not tell. From the scheduler's own nanoseconds: /proc/PID/stat counts in hundredths of a second
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
