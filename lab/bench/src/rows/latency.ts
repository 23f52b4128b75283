import { quantile, summarise } from "../measure/statistics.js";
import { startService } from "../processes/start-service.js";
import type { Row } from "../row.js";
import { driveInTurns, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 7;
const SECONDS = 8;

/** How much slower the slowest uploads are than the median, at half of the peak load. */
export const latencyRow: Row = {
  name: "latency",
  async run(tools) {
    const stage = await uploadStage(tools);
    const service = await startService(stage.databaseUrl, tools);
    const load = uploads(stage.apiKey, service.ready.port);
    const peak = await driveInTurns(
      { peak: { server: service, load } },
      { loader: stage.loader, tools, rounds: 3 },
    );
    const perSecond = Math.round(
      quantile(
        peak.peak.map((run) => run.perSecond),
        0.5,
      ) / 2,
    );
    const { half } = await driveInTurns(
      { half: { server: service, load: { ...load, perSecond, seconds: SECONDS } } },
      { loader: stage.loader, tools, rounds: ROUNDS },
    );
    const middle = (value: "p50Ms" | "p99Ms") => summarise(half.map((run) => run[value])).median.toFixed(1);
    return [
      {
        measured: `p99 of uploads at half of peak load, which was ${perSecond} requests/s`,
        against: "their p50",
        ratio: summarise(half.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms)),
        target: { atMost: 4 },
        details: `p50 ${middle("p50Ms")} ms, p99 ${middle("p99Ms")} ms, counted from when each was due`,
      },
    ];
  },
};
