import { setTimeout as sleep } from "node:timers/promises";
import { type Loader, startLoad } from "../../load/start-load.js";
import { summarise } from "../../measure/statistics.js";
import { takeTurns } from "../../measure/take-turns.js";
import { createProjects } from "../../processes/api-keys.js";
import { keepCore, mayKeepCore } from "../../processes/keep-core.js";
import { pinSelf } from "../../processes/pinning.js";
import type { ServiceBuild } from "../../processes/service-build.js";
import { startDatabase } from "../../processes/start-database.js";
import type { Figure, RowTools } from "../../row.js";
import { uploads } from "../upload-stage.js";
import { BASE, both, middle, ROUNDS, startVersion, type Version, type Versions } from "./versions.js";

const QUIET_PER_SECOND = 20;
const QUIET_SECONDS = Number(process.env["SECONDS"] ?? 20);
const FLOOD_CONNECTIONS = 300;
/** The flood starts this long before the quiet project, and ends after it. */
const LEAD_SECONDS = 2;

/** A quiet project beside a flood of uploads. All processes may use all cores, as in the row `fairness`. */
export async function measureFairness(builds: Versions<ServiceBuild>, tools: RowTools): Promise<Figure[]> {
  await pinSelf("anywhere");
  tools.atEnd(() => pinSelf());
  const loaders = { quiet: await startLoad(tools, "anywhere"), flood: await startLoad(tools, "anywhere") };
  // The wait of the measuring client for a core is not the service's.
  if (await mayKeepCore(loaders.quiet.pid)) await keepCore([loaders.quiet.pid]);
  const sides = await both(builds, async (build) => {
    const version = await startVersion(build, await startDatabase(tools), tools, {}, "anywhere");
    return { ...version, quietKey: (await createProjects(version.databaseUrl, 1))[0]! };
  });
  const times = await takeTurns(
    await both(sides, async (side, name) => () => measureBeside({ ...side, name, loaders, tools })),
    { rounds: ROUNDS },
  );
  const besideAlone = (name: "older" | "newer") => times[name].map(({ alone, beside }) => beside / alone);
  const of = (name: "older" | "newer", key: "alone" | "beside" | "flood") =>
    times[name].map((each) => each[key]);
  const describe = (name: "older" | "newer") =>
    `${middle(of(name, "beside"), 1)} and ${middle(of(name, "alone"), 1)} ms, ${middle(of(name, "flood"), 0)} uploads/s of the flood`;
  return [
    {
      measured: `p99 of a project's ${QUIET_PER_SECOND} uploads a second beside uploads of another one over ${FLOOD_CONNECTIONS} connections`,
      against: "its p99 alone",
      ratio: summarise(besideAlone("newer")),
      target: { atMost: 2 },
      details: `${describe("newer")}; ${BASE}: ${middle(besideAlone("older"), 2)}, ${describe("older")}`,
    },
  ];
}

interface Beside extends Version {
  quietKey: string;
  name: string;
  loaders: Record<"quiet" | "flood", Loader>;
  tools: RowTools;
}

async function measureBeside({ quietKey, apiKey, port, name, loaders, tools }: Beside) {
  const quiet = uploads(quietKey, port, {
    connections: 64,
    numbers: 100,
    perSecond: QUIET_PER_SECOND,
    seconds: QUIET_SECONDS,
  });
  const alone = await loaders.quiet.flood(quiet);
  const flooding = loaders.flood.flood(
    uploads(apiKey, port, { connections: FLOOD_CONNECTIONS, seconds: LEAD_SECONDS + QUIET_SECONDS + 1 }),
  );
  await sleep(LEAD_SECONDS * 1000);
  const beside = await loaders.quiet.flood(quiet);
  const flood = await flooding;
  tools.say(
    `${name}: p50 ${beside.p50Ms.toFixed(1)} and p99 ${beside.p99Ms.toFixed(1)} ms, alone ${alone.p50Ms.toFixed(1)} and ${alone.p99Ms.toFixed(1)}; statuses ${JSON.stringify(beside.statuses)}; the flood ${(flood.requests / flood.seconds).toFixed(0)}/s`,
  );
  return { alone: alone.p99Ms, beside: beside.p99Ms, flood: flood.requests / flood.seconds };
}
