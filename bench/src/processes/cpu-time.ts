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
