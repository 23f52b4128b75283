import { startChild } from "../processes/start-child.js";
import { cpuSecondsOf } from "../processes/cpu-time.js";
import type { Role } from "../processes/pinning.js";
import type { RowTools } from "../row.js";
import type { Answered, Load } from "./load.js";

export interface Driven extends Answered {
  perSecond: number;
  /** The server's CPU in microseconds per request; null if the system does not report it. */
  cpuMicros: number | null;
}

/** A separate process that generates load. */
export interface Loader {
  pid: number;
  /** @param serverPid the process whose CPU is measured @throws {Error} if an answer is not 2xx */
  drive(serverPid: number, load: Load): Promise<Driven>;
  /** The same with any answers. */
  flood(load: Load): Promise<Answered>;
}

const PATIENCE_MS = 30_000;

/** @param role its cores. @default the cores of the database */
export async function startLoad({ atEnd }: Pick<RowTools, "atEnd">, role: Role = "others"): Promise<Loader> {
  const child = await startChild(import.meta.resolve("#load/load-main.js"), { role });
  atEnd(() => child.stop());
  const flood = (load: Load) => child.ask<Answered>(load, load.seconds * 1000 + PATIENCE_MS);
  return {
    pid: child.pid,
    flood,
    async drive(serverPid, load) {
      const before = await cpuSecondsOf(serverPid);
      const answered = await flood(load);
      const after = await cpuSecondsOf(serverPid);
      const failed = Object.entries(answered.statuses).filter(([status]) => !status.startsWith("2"));
      if (failed.length > 0)
        throw new Error(`some answers were not 2xx: ${JSON.stringify(answered.statuses)}`);
      const cpuMicros =
        before === null || after === null ? null : ((after - before) * 1e6) / answered.requests;
      return { ...answered, perSecond: answered.requests / answered.seconds, cpuMicros };
    },
  };
}
