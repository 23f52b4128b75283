import type { Driven } from "../load/start-load.js";
import { describeDriven } from "../measure/figure.js";
import { summarise } from "../measure/statistics.js";
import { ratios } from "../measure/take-turns.js";
import { startService } from "../processes/start-service.js";
import type { Figure, Row } from "../row.js";
import { driveInTurns, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 7;

/** What DATABASE_PREPARED=off costs, which poolers in transaction mode need: every statement is parsed and planned, with a second round trip. */
export const preparedRow: Row = {
  name: "prepared",
  async run(tools) {
    const stage = await uploadStage(tools);
    const on = await startService(stage.databaseUrl, tools);
    const off = await startService(stage.databaseUrl, tools, { DATABASE_PREPARED: "off" });
    const figures: Figure[] = [];
    for (const connections of [64, 1]) {
      const load = (port: number) => uploads(stage.apiKey, port, { connections });
      const runs = await driveInTurns(
        {
          off: { server: off, load: load(off.ready.port) },
          on: { server: on, load: load(on.ready.port) },
        },
        { loader: stage.loader, tools, rounds: ROUNDS },
      );
      figures.push({
        measured: `uploads over ${connections} connection${connections === 1 ? "" : "s"} with \`DATABASE_PREPARED=off\``,
        against: "the same with prepared statements",
        ratio: summarise(ratios(speeds(runs.off), speeds(runs.on))),
        details: `${describeDriven("off", runs.off)}; ${describeDriven("on", runs.on)}`,
      });
    }
    return figures;
  },
};

const speeds = (runs: Driven[]) => runs.map(({ perSecond }) => perSecond);
