import { startLoad } from "../load/start-load.js";
import type { Load } from "../load/load.js";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { createProject } from "../processes/create-project.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import { type Listening, startService } from "../processes/start-service.js";
import { startChild } from "../processes/start-child.js";
import { startDatabase } from "../processes/start-database.js";
import type { Figure, Row, RowTools } from "../row.js";

const SECONDS = 4;
const ROUNDS = 7;

/** `POST /api/storage/upload/`, over one database, 64 connections. */
export const uploadRow: Row = {
  name: "upload",
  async run(tools) {
    const databaseUrl = await startDatabase(tools);
    await migrateDatabase(databaseUrl);
    const apiKey = await createProject(databaseUrl);
    const service = await startService(databaseUrl, tools);
    const bare = await startSide("../sides/bare-server.js", databaseUrl, tools);
    const loader = await startLoad(tools);
    const cpu = { service: [] as number[], bare: [] as number[] };
    const drive =
      (name: keyof typeof cpu, side: { pid: number; ready: Listening }, path: string) => async () => {
        const driven = await loader.drive(side.pid, uploads(apiKey, side.ready.port, path));
        tools.say(
          `${name} ${driven.perSecond.toFixed(0)}/s, ${driven.cpuMicros?.toFixed(0)} µs CPU, p50 ${driven.p50Ms.toFixed(1)} ms, p99 ${driven.p99Ms.toFixed(1)} ms`,
        );
        cpu[name].push(driven.cpuMicros ?? NaN);
        return driven.perSecond;
      };
    const measured = await takeTurns(
      { service: drive("service", service, "/api/storage/upload/"), bare: drive("bare", bare, "/") },
      { rounds: ROUNDS },
    );
    const figures: Figure[] = [
      {
        measured: "`POST /api/storage/upload/`, durable commit, 64 connections",
        against: "bare node:http with the one statement for one request",
        ratio: summarise(ratios(measured.service, measured.bare)),
        toReach: { atLeast: 0.85 },
        beside: `${summarise(measured.service).median.toFixed(0)} and ${summarise(measured.bare).median.toFixed(0)} requests/s; ${summarise(cpu.service).median.toFixed(0)} and ${summarise(cpu.bare).median.toFixed(0)} µs of the server's CPU a request`,
      },
    ];
    return figures;
  },
};

async function startSide(script: string, databaseUrl: string, { atEnd }: RowTools) {
  const side = await startChild<Listening>(import.meta.resolve(script), {
    role: "server",
    env: { DATABASE_URL: databaseUrl },
  });
  atEnd(() => side.stop());
  return side;
}

export function uploads(apiKey: string, port: number, path = "/api/storage/upload/"): Load {
  return {
    port,
    path,
    headers: { Authorization: `Bearer ${apiKey}` },
    body: '{"tenant_id":"user-{n}","filename":"holiday photo.jpg","content_type":"image/jpeg","size":1000}',
    numbers: 1000,
    connections: 64,
    seconds: SECONDS,
  };
}
