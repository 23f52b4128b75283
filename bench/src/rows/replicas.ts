import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { type Loader, startLoad } from "../load/start-load.js";
import { startService } from "../processes/start-service.js";
import type { Row, RowTools } from "../row.js";
import { startSide, type Uploading, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 7;
const REPLICAS = 3;
/** Of each by itself, until its code is compiled: three that share a core take three times as long for that. */
const WARM_UP_SECONDS = 12;

/** Several of one server, each asked by as many connections as the one would be. */
interface Replicas {
  servers: Uploading[];
  loaders: Loader[];
  apiKey: string;
}

/**
 * Three replicas at once, each asked by as many connections as the one. They share a core here, so what counts is that an
 * upload costs no more of it. Three processes on one core drive each other's code and data out of its caches: how much of it that
 * is, a bare server tells.
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
    const micros = await takeTurns(
      {
        one: () => cpuMicros("ours", ours, 1, tools),
        three: () => cpuMicros("ours", ours, REPLICAS, tools),
        oneBare: () => cpuMicros("bare", bare, 1, tools),
        threeBare: () => cpuMicros("bare", bare, REPLICAS, tools),
      },
      { rounds: ROUNDS },
    );
    const middle = (name: keyof typeof micros) => `${summarise(micros[name]).median.toFixed(0)} µs`;
    const bareRatio = summarise(ratios(micros.oneBare, micros.threeBare)).median.toFixed(3);
    return [
      {
        measured: "CPU of an upload by one replica",
        against: "by each of three at once, on the same core",
        ratio: summarise(ratios(micros.one, micros.three)),
        toReach: { atLeast: 0.95 },
        beside: `${middle("one")} and ${middle("three")}; of bare node:http with one statement ${middle("oneBare")} and ${middle("threeBare")}, ${bareRatio}`,
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

/** @returns µs of the servers' CPU for each upload */
async function cpuMicros(
  name: string,
  { servers, loaders, apiKey }: Replicas,
  count: number,
  { say }: RowTools,
): Promise<number> {
  const runs = await Promise.all(
    servers.slice(0, count).map(({ pid, ready }, at) => loaders[at]!.drive(pid, uploads(apiKey, ready.port))),
  );
  const requests = runs.reduce((sum, run) => sum + run.requests, 0);
  const micros = runs.reduce((sum, run) => sum + (run.cpuMicros ?? NaN) * run.requests, 0) / requests;
  say(`${count} ${name}: ${(requests / runs[0]!.seconds).toFixed(0)}/s, ${micros.toFixed(0)} µs CPU`);
  return micros;
}
