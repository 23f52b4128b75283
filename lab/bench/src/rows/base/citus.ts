import { randomBytes } from "node:crypto";
import { summarise } from "../../measure/statistics.js";
import { ratios, takeTurns } from "../../measure/take-turns.js";
import { connect } from "../../processes/connect.js";
import type { ServiceBuild } from "../../processes/service-build.js";
import { startDevStore } from "../../processes/start-dev-store.js";
import type { Figure, RowTools } from "../../row.js";
import { cpuOf, eventSettings, measureCosts } from "./files.js";
import { BASE, both, middle, ROUNDS, startVersion, type Versions, WARM_UPS } from "./versions.js";

/**
 * The CPU of all nodes of Citus for a file, and that of plain PostgreSQL on the coordinator. `CITUS_URL` and `CITUS_BASE_URL` name two
 * empty databases on the coordinator of a cluster whose workers are registered, on this machine.
 */
export async function measureCitus(builds: Versions<ServiceBuild>, tools: RowTools): Promise<Figure[]> {
  const urls = { older: process.env["CITUS_BASE_URL"], newer: process.env["CITUS_URL"] };
  if (!urls.older || !urls.newer) {
    tools.say("Citus is not measured: set CITUS_URL and CITUS_BASE_URL (docs/scale-out.md)");
    return [];
  }
  const store = await startDevStore(tools, "anywhere");
  const sides = await both(builds, async (build, name) => {
    const citusUrl = urls[name]!;
    const plainUrl = await createDatabase(citusUrl, tools);
    const start = async (url: string, citus: boolean, what: string) => {
      const version = await startVersion(build, url, tools, eventSettings(store), "anywhere", { citus });
      return measureCosts(version, { store, name: `${name}, ${what}`, tools });
    };
    return { plain: await start(plainUrl, false, "plain"), citus: await start(citusUrl, true, "Citus") };
  });
  const costs = await takeTurns(
    {
      olderPlain: sides.older.plain,
      olderCitus: sides.older.citus,
      newerPlain: sides.newer.plain,
      newerCitus: sides.newer.citus,
    },
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  const cpu = (name: keyof typeof costs) => costs[name].map(cpuOf);
  const over = (name: "older" | "newer") => ratios(cpu(`${name}Citus`), cpu(`${name}Plain`));
  return [
    {
      measured: "CPU of all nodes of Citus for a file from request to record",
      against: "plain PostgreSQL of the same version",
      ratio: summarise(over("newer")),
      target: { atMost: 1.8 },
      details: `${middle(cpu("newerCitus"), 0)} and ${middle(cpu("newerPlain"), 0)} µs; ${BASE}: ${middle(over("older"), 2)}, ${middle(cpu("olderCitus"), 0)} and ${middle(cpu("olderPlain"), 0)} µs`,
    },
  ];
}

/** Creates an empty database beside another one. It is dropped with the row. */
async function createDatabase(besideUrl: string, { atEnd }: RowTools): Promise<string> {
  const name = `stowage_bench_${randomBytes(6).toString("hex")}`;
  const run = async (statement: string) => {
    const sql = connect(besideUrl);
    await sql.unsafe(statement).finally(() => sql.end());
  };
  await run(`create database ${name}`);
  atEnd(() => run(`drop database ${name} with (force)`));
  return Object.assign(new URL(besideUrl), { pathname: `/${name}` }).href;
}
