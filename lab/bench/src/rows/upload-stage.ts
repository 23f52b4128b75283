import type { Load } from "../load/load.js";
import { type Driven, type Loader, startLoad } from "../load/start-load.js";
import { takeTurns } from "../measure/take-turns.js";
import { createProject } from "../processes/create-project.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import { startChild } from "../processes/start-child.js";
import { startDatabase } from "../processes/start-database.js";
import type { Listening } from "../processes/start-service.js";
import type { RowTools } from "../row.js";

/** A server that accepts upload requests. */
export interface Uploading {
  pid: number;
  ready: Listening;
}

/** The set-up for uploads: a migrated database with one project. */
export interface UploadStage {
  databaseUrl: string;
  apiKey: string;
  loader: Loader;
}

const SECONDS = 4;

export async function uploadStage(tools: RowTools): Promise<UploadStage> {
  const databaseUrl = await startDatabase(tools);
  await migrateDatabase(databaseUrl);
  return { databaseUrl, apiKey: await createProject(databaseUrl), loader: await startLoad(tools) };
}

/** Starts a server of `sides/` on the server's core. */
export async function startSide(
  name: string,
  { databaseUrl }: UploadStage,
  { atEnd }: RowTools,
  env: Record<string, string> = {},
): Promise<Uploading> {
  const side = await startChild<Listening>(import.meta.resolve(`#sides/${name}.js`), {
    role: "server",
    env: { DATABASE_URL: databaseUrl, ...env },
  });
  atEnd(() => side.stop());
  return side;
}

/** Uploads over 64 connections. @default a thousand tenants in turns */
export function uploads(apiKey: string, port: number, differently: Partial<Load> = {}): Load {
  return {
    port,
    path: "/api/storage/upload/",
    headers: { Authorization: `Bearer ${apiKey}` },
    body: '{"tenant_id":"user-{n}","filename":"holiday photo.jpg","content_type":"image/jpeg","size":1000}',
    numbers: 1000,
    connections: 64,
    seconds: SECONDS,
    ...differently,
  };
}

/** Drives the sides in turns. @returns for each side its runs; the same index is the same round */
export async function driveInTurns<Name extends string>(
  sides: Record<Name, { server: Uploading; load: Load }>,
  { loader, tools, rounds }: { loader: Loader; tools: RowTools; rounds: number },
): Promise<Record<Name, Driven[]>> {
  const names = Object.keys(sides) as Name[];
  const driven = Object.fromEntries(names.map((name) => [name, [] as Driven[]])) as Record<Name, Driven[]>;
  const drive = (name: Name) => async () => {
    const run = await loader.drive(sides[name].server.pid, sides[name].load);
    tools.say(
      `${name.padEnd(12)} ${run.perSecond.toFixed(0)}/s, ${run.cpuMicros?.toFixed(0)} µs CPU, p50 ${run.p50Ms.toFixed(1)} ms, p99 ${run.p99Ms.toFixed(1)} ms`,
    );
    driven[name].push(run);
    return run.perSecond;
  };
  const turns = Object.fromEntries(names.map((name) => [name, drive(name)])) as Record<
    Name,
    () => Promise<number>
  >;
  await takeTurns(turns, { rounds, warmUps: WARM_UPS });
  for (const name of names) driven[name].splice(0, WARM_UPS);
  return driven;
}

/** Warm-up until the server's code is compiled and the database's plans exist. */
const WARM_UPS = 4;
