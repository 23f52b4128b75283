import { readFile } from "node:fs/promises";

/** Linux counts in these, whatever its clock. */
const TICKS_PER_SECOND = 100;

/**
 * CPU seconds that a process has used so far, in user and in kernel mode, with all of its threads; null where the system
 * does not tell (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html).
 */
export async function cpuSecondsOf(pid: number): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // After the name, which is in parentheses and may hold anything, comes field 3; user and system time are 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
