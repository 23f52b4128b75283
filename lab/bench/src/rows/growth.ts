import type { Driven } from "../load/start-load.js";
import { describeDriven } from "../measure/figure.js";
import { summarise } from "../measure/statistics.js";
import { ratios } from "../measure/take-turns.js";
import { seededDatabase } from "../processes/seeded-database.js";
import { startService } from "../processes/start-service.js";
import type { Row } from "../row.js";
import { driveInTurns, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 7;
const TENANTS = 100_000;
const FILES = Number(process.env["FILES"] ?? 10_000_000);

/** Uploads of one tenant, of very many tenants, and in a database with very many files, compared with uploads over an empty database. */
export const growthRow: Row = {
  name: "growth",
  async run(tools) {
    const empty = await uploadStage(tools);
    const crowded = await seededDatabase({ tenants: TENANTS, files: TENANTS }, tools);
    const full = await seededDatabase({ tenants: TENANTS, files: FILES }, tools);
    const overEmpty = await startService(empty.databaseUrl, tools);
    // Each side has its own process, so that its code has run equally often.
    const overHot = await startService(empty.databaseUrl, tools);
    const overCrowded = await startService(crowded.url, tools);
    const overFull = await startService(full.url, tools);
    const load = (apiKey: string, { ready }: typeof overEmpty, numbers: number) =>
      uploads(apiKey, ready.port, { numbers });
    const runs = await driveInTurns(
      {
        empty: { server: overEmpty, load: load(empty.apiKey, overEmpty, 1000) },
        hot: { server: overHot, load: load(empty.apiKey, overHot, 1) },
        crowded: { server: overCrowded, load: load(crowded.apiKey, overCrowded, TENANTS) },
        full: { server: overFull, load: load(full.apiKey, overFull, 1000) },
      },
      { loader: empty.loader, tools, rounds: ROUNDS },
    );
    const against = (name: "hot" | "crowded" | "full", measured: string, atLeast: number) => ({
      measured,
      against: "of a thousand tenants in turns, over a database that was empty",
      ratio: summarise(ratios(speeds(runs[name]), speeds(runs.empty))),
      target: { atLeast },
      details: `${describeDriven(name, runs[name])}; ${describeDriven("empty", runs.empty)}`,
    });
    return [
      against("hot", "uploads of one tenant alone", 0.9),
      against("crowded", `uploads of ${TENANTS} tenants in turns`, 0.95),
      against("full", `uploads beside ${FILES} files`, 0.95),
    ];
  },
};

const speeds = (runs: Driven[]) => runs.map(({ perSecond }) => perSecond);
