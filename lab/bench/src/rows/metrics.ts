import { describeDriven } from "../measure/figure.js";
import { summarise } from "../measure/statistics.js";
import { ratios } from "../measure/take-turns.js";
import type { Driven } from "../load/start-load.js";
import { startService } from "../processes/start-service.js";
import type { Row } from "../row.js";
import { driveInTurns, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 15;
const SECONDS = 2;

/** What METRICS_PORT costs the requests. Nothing scrapes meanwhile. */
export const metricsRow: Row = {
  name: "metrics",
  async run(tools) {
    const stage = await uploadStage(tools);
    const off = await startService(stage.databaseUrl, tools);
    const on = await startService(stage.databaseUrl, tools, { METRICS_PORT: "0" });
    const load = (port: number) => uploads(stage.apiKey, port, { seconds: SECONDS });
    const runs = await driveInTurns(
      {
        on: { server: on, load: load(on.ready.port) },
        off: { server: off, load: load(off.ready.port) },
      },
      { loader: stage.loader, tools, rounds: ROUNDS },
    );
    return [
      {
        measured: "uploads with `METRICS_PORT`, for the same of the server's CPU",
        against: "the same without metrics",
        ratio: summarise(ratios(perCpuSecond(runs.on), perCpuSecond(runs.off))),
        details: `${describeDriven("on", runs.on)}; ${describeDriven("off", runs.off)}`,
      },
    ];
  },
};

/** Uploads per second of CPU; per second where the system does not report the CPU of a process. */
const perCpuSecond = (runs: Driven[]) =>
  runs.map(({ cpuMicros, perSecond }) =>
    cpuMicros === null || cpuMicros === undefined ? perSecond : 1e6 / cpuMicros,
  );
