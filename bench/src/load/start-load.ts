import { startChild } from "../processes/start-child.js";
import { cpuSecondsOf } from "../processes/cpu-time.js";
import type { RowTools } from "../row.js";
import type { Answered, Load } from "./load.js";

export interface Driven extends Answered {
  perSecond: number;
  /** Of the server, in microseconds a request; null where the system does not tell. */
  cpuMicros: number | null;
}

/** A process of its own that makes load, beside the database. */
export interface Loader {
  /** @param serverPid whose CPU is told @throws {Error} when an answer is none of 2xx */
  drive(serverPid: number, load: Load): Promise<Driven>;
}

const PATIENCE_MS = 30_000;

export async function startLoad({ atEnd }: Pick<RowTools, "atEnd">): Promise<Loader> {
  const child = await startChild(import.meta.resolve("#load/load-main.js"), { role: "others" });
  atEnd(() => child.stop());
  return {
    async drive(serverPid, load) {
      const before = await cpuSecondsOf(serverPid);
      const answered = await child.ask<Answered>(load, load.seconds * 1000 + PATIENCE_MS);
      const after = await cpuSecondsOf(serverPid);
      const failed = Object.entries(answered.statuses).filter(([status]) => !status.startsWith("2"));
      if (failed.length > 0) throw new Error(`answers were not good: ${JSON.stringify(answered.statuses)}`);
      const cpuMicros =
        before === null || after === null ? null : ((after - before) * 1e6) / answered.requests;
      return { ...answered, perSecond: answered.requests / answered.seconds, cpuMicros };
    },
  };
}
