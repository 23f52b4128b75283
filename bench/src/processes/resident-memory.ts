import { readFile } from "node:fs/promises";

/** Bytes of memory that a process has resident, as Linux tells it. @throws {Error} elsewhere, and for a process that has ended */
export async function residentBytesOf(pid: number): Promise<number> {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
  if (kibibytes === undefined) throw new Error(`the memory of process ${pid} is not told`);
  return Number(kibibytes) * 1024;
}
