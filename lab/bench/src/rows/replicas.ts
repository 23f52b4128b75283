import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { type Loader, startLoad } from "../load/start-load.js";
import { keepCore, mayKeepCore } from "../processes/keep-core.js";
import { startService } from "../processes/start-service.js";
import type { Row, RowTools } from "../row.js";
import { startSide, type Uploading, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 9;
const REPLICAS = 3;
/** Warm-up of each process alone: three processes on one core need three times as long to compile their code. */
const WARM_UP_SECONDS = 12;
/** With 4 s, rounds differed more. */
const SECONDS = 6;

/** Several processes of one server. Each gets as many connections as a single one would. */
interface Replicas {
  servers: Uploading[];
  loaders: Loader[];
  apiKey: string;
}

/**
 * Three replicas at once, each with as many connections as one alone. They share one core, so the figure is the CPU of an upload: replicas
 * must not make each other more expensive through the database. In time slices of a few milliseconds they also evict each other's
 * caches, which does not happen on separate cores, so each keeps the core until it waits. The cost of the slices is reported in the details.
 */
export const replicasRow: Row = {
  name: "replicas",
  async run(tools) {
    const stage = await uploadStage(tools);
    const { apiKey } = stage;
    const loaders = await times(() => startLoad(tools));
    const ours = { servers: await times(() => startService(stage.databaseUrl, tools)), loaders, apiKey };
    const bare = { servers: await times(() => startSide("bare-server", stage, tools)), loaders, apiKey };
    await warmUp(ours, tools);
    await warmUp(bare, tools);
    const keepsCore = await mayKeepCore(ours.servers[0]!.pid);
    if (!keepsCore)
      tools.say("Only in the system's time slices, because keeping a core needs root on Linux.");
    const micros = await takeTurns(
      {
        one: () => cpuMicros("ours", ours, 1, { keepsCore, tools }),
        three: () => cpuMicros("ours", ours, REPLICAS, { keepsCore, tools }),
        oneSliced: () => cpuMicros("ours", ours, 1, { tools }),
        threeSliced: () => cpuMicros("ours", ours, REPLICAS, { tools }),
        oneBare: () => cpuMicros("bare", bare, 1, { tools }),
        threeBare: () => cpuMicros("bare", bare, REPLICAS, { tools }),
      },
      { rounds: ROUNDS },
    );
    const middle = (name: keyof typeof micros) => `${summarise(micros[name]).median.toFixed(0)} µs`;
    const both = (one: keyof typeof micros, three: keyof typeof micros) =>
      `${middle(one)} and ${middle(three)}, ${summarise(ratios(micros[one], micros[three])).median.toFixed(3)}`;
    const sharing = keepsCore ? "one core, which each keeps until it waits" : "one core, in its time slices";
    return [
      {
        measured: "CPU of an upload by one replica",
        against: `by each of three at once, on ${sharing}`,
        ratio: summarise(ratios(micros.one, micros.three)),
        target: { atLeast: 0.95 },
        details: `${middle("one")} and ${middle("three")}; in time slices ${both("oneSliced", "threeSliced")}; bare node:http with one statement in time slices ${both("oneBare", "threeBare")}`,
      },
    ];
  },
};

async function times<Made>(make: () => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  for (let i = 0; i < REPLICAS; i++) made.push(await make());
  return made;
}

async function warmUp({ servers, loaders, apiKey }: Replicas, { say }: RowTools): Promise<void> {
  for (const { pid, ready } of servers) {
    const run = await loaders[0]!.drive(pid, uploads(apiKey, ready.port, { seconds: WARM_UP_SECONDS }));
    say(`warmed up: ${run.perSecond.toFixed(0)}/s, ${run.cpuMicros?.toFixed(0)} µs CPU`);
  }
}

/** @returns the servers' CPU in µs per upload */
async function cpuMicros(
  name: string,
  { servers, loaders, apiKey }: Replicas,
  count: number,
  { keepsCore = false, tools: { say } }: { keepsCore?: boolean; tools: RowTools },
): Promise<number> {
  const asked = servers.slice(0, count);
  const giveBack = keepsCore ? await keepCore(asked.map(({ pid }) => pid)) : undefined;
  try {
    const runs = await Promise.all(
      asked.map(({ pid, ready }, at) =>
        loaders[at]!.drive(pid, uploads(apiKey, ready.port, { seconds: SECONDS })),
      ),
    );
    const requests = runs.reduce((sum, run) => sum + run.requests, 0);
    const micros = runs.reduce((sum, run) => sum + (run.cpuMicros ?? NaN) * run.requests, 0) / requests;
    const how = keepsCore ? "keeping the core" : "in time slices";
    say(
      `${count} ${name}, ${how}: ${(requests / runs[0]!.seconds).toFixed(0)}/s, ${micros.toFixed(0)} µs CPU`,
    );
    return micros;
  } finally {
    await giveBack?.();
  }
}
