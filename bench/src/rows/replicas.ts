import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { type Loader, startLoad } from "../load/start-load.js";
import { startService } from "../processes/start-service.js";
import type { Row } from "../row.js";
import { type Uploading, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 7;
const REPLICAS = 3;

interface Replica {
  service: Uploading;
  loader: Loader;
}

/**
 * Three replicas at once, each asked by as many connections as the one. They share a core here, so what counts is that an
 * upload costs no more of it.
 */
export const replicasRow: Row = {
  name: "replicas",
  async run(tools) {
    const stage = await uploadStage(tools);
    const replicas: Replica[] = [];
    for (let i = 0; i < REPLICAS; i++)
      replicas.push({
        service: await startService(stage.databaseUrl, tools),
        loader: await startLoad(tools),
      });
    const drive = async (count: number) => {
      const runs = await Promise.all(
        replicas
          .slice(0, count)
          .map(({ service, loader }) => loader.drive(service.pid, uploads(stage.apiKey, service.ready.port))),
      );
      const requests = runs.reduce((sum, run) => sum + run.requests, 0);
      const micros = runs.reduce((sum, run) => sum + (run.cpuMicros ?? NaN) * run.requests, 0) / requests;
      tools.say(
        `${count} replicas: ${(requests / runs[0]!.seconds).toFixed(0)}/s, ${micros.toFixed(0)} µs CPU`,
      );
      return micros;
    };
    const micros = await takeTurns(
      { one: () => drive(1), three: () => drive(REPLICAS) },
      { rounds: ROUNDS, warmUps: 3 },
    );
    return [
      {
        measured: "CPU of an upload by one replica",
        against: "by each of three at once, on the same core",
        ratio: summarise(ratios(micros.one, micros.three)),
        toReach: { atLeast: 0.95 },
        beside: `${summarise(micros.one).median.toFixed(0)} µs and ${summarise(micros.three).median.toFixed(0)} µs`,
      },
    ];
  },
};
