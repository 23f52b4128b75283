import type { Driven } from "../load/start-load.js";
import { describeDriven } from "../measure/figure.js";
import { summarise } from "../measure/statistics.js";
import { ratios } from "../measure/take-turns.js";
import { connect } from "../processes/connect.js";
import { startService } from "../processes/start-service.js";
import type { Row } from "../row.js";
import { seedDatabase } from "../seed/seed-database.js";
import { driveInTurns, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 7;
const TENANTS = 100_000;

/** Uploads of one tenant, and of very many, against uploads over a database that was empty before. */
export const growthRow: Row = {
  name: "growth",
  async run(tools) {
    const [empty, grown] = [await uploadStage(tools), await uploadStage(tools)];
    tools.say(`making ${TENANTS} tenants`);
    const sql = connect(grown.databaseUrl);
    await seedDatabase(sql, {
      projects: 2,
      tenants: TENANTS,
      files: TENANTS,
      seed: 1,
      until: new Date(),
      add: true,
    });
    await sql.end();
    const overEmpty = await startService(empty.databaseUrl, tools);
    const overGrown = await startService(grown.databaseUrl, tools);
    const runs = await driveInTurns(
      {
        empty: { server: overEmpty, load: uploads(empty.apiKey, overEmpty.ready.port) },
        hot: { server: overEmpty, load: uploads(empty.apiKey, overEmpty.ready.port, { numbers: 1 }) },
        grown: { server: overGrown, load: uploads(grown.apiKey, overGrown.ready.port, { numbers: TENANTS }) },
      },
      { loader: empty.loader, tools, rounds: ROUNDS },
    );
    const against = (name: "hot" | "grown", measured: string, atLeast: number) => ({
      measured,
      against: "of a thousand tenants in turns, over a database that was empty",
      ratio: summarise(ratios(speeds(runs[name]), speeds(runs.empty))),
      toReach: { atLeast },
      beside: `${describeDriven(name, runs[name])}; ${describeDriven("empty", runs.empty)}`,
    });
    return [
      against("hot", "uploads of one tenant alone", 0.9),
      against("grown", `uploads of ${TENANTS} tenants in turns, in a database with as many more`, 0.95),
    ];
  },
};

const speeds = (runs: Driven[]) => runs.map(({ perSecond }) => perSecond);
