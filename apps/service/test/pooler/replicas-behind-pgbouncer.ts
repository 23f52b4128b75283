import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { inject } from "vitest";
import { composeDatabaseCommands } from "#compose-cli.js";
import { readDatabaseConfig } from "#config.js";
import { createProject, type ProjectWithKey } from "#projects/create-project.js";
import { expectExact } from "../faults/expect-exact.js";
import type { Acknowledged } from "../faults/load.js";
import { aDatabase } from "../fixtures/a-database.js";
import { aPgbouncer } from "../fixtures/a-pgbouncer.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";

/** Fewer than the connections of one replica, so clients take turns on PostgreSQL's connections. */
const POSTGRES_CONNECTIONS = 4;

/** Replicas of the built service that reach an empty database through pgbouncer in transaction mode. */
export type ReplicasBehindPgbouncer = Awaited<ReturnType<typeof replicasBehindPgbouncer>>;

export async function replicasBehindPgbouncer(settings: Record<string, string> = {}) {
  const database = await aDatabase({ migrated: false });
  const pgbouncer = await aPgbouncer({ default_pool_size: POSTGRES_CONNECTIONS });
  const url = pgbouncer.through(database.url);
  const sql = postgres(database.url, { max: 2, onnotice: () => undefined });
  const replicas: ServiceProcess[] = [];
  const logStart = (await databaseLog()).length;
  let turn = 0;

  return {
    sql,
    replicas,
    async startOne(): Promise<ServiceProcess> {
      const replica = await aProcess({
        ...inject("servers"),
        PORT: "0",
        DATABASE_URL: url,
        DASHBOARD_DIR: "none",
        SWEEP_INTERVAL_MS: "200",
        // The replicas share few connections. On a busy machine a statement may wait longer for one than by default.
        DATABASE_TIMEOUT_MS: "20000",
        ...settings,
      });
      replicas.push(replica);
      return replica;
    },
    /** The next replica's address, as a load balancer chooses it. */
    nextUrl: () => replicas[turn++ % replicas.length]!.url,
    async project(): Promise<ProjectWithKey> {
      const config = readDatabaseConfig({ DATABASE_URL: url, DATABASE_PREPARED: "off" });
      const { deps, close } = composeDatabaseCommands(config);
      return createProject(deps, { name: "pooler" }).finally(close);
    },
    expectExact: (project: ProjectWithKey, acknowledged: Acknowledged) =>
      expectExact(sql, project.ref, acknowledged),
    /** The error lines of PostgreSQL's log since the start of the test. */
    async databaseErrors(): Promise<string[]> {
      const lines = (await databaseLog()).slice(logStart).split("\n");
      return lines.filter((line) => / (ERROR|FATAL|PANIC): /.test(line));
    },
    async close(): Promise<void> {
      await Promise.all(replicas.map((replica) => replica.kill()));
      await Promise.all([pgbouncer.close(), sql.end()]);
      await database.drop();
    },
  };
}

async function databaseLog(): Promise<string> {
  const path = inject("databaseLog");
  if (path === null) throw new Error("these tests read PostgreSQL's log, so they need a server of their own");
  return readFile(path, "utf8");
}
