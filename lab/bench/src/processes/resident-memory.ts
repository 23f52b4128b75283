import { readFile } from "node:fs/promises";

/** Returns the resident memory of a process in bytes, on Linux. @throws {Error} elsewhere, and if the process has ended */
export async function residentBytesOf(pid: number): Promise<number> {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
  if (kibibytes === undefined) throw new Error(`the system does not report the memory of process ${pid}`);
  return Number(kibibytes) * 1024;
}
