import postgres from "postgres";
import { inject } from "vitest";
import { composeSecretBox } from "#compose-adapters.js";
import { composeDatabaseCommands } from "#compose-cli.js";
import { readDatabaseConfig } from "#config.js";
import { createProject, type ProjectWithKey } from "#projects/create-project.js";
import { createEndpoint, type EndpointWithSecret } from "#webhooks/manage-endpoints.js";
import { commandLineActor } from "#audit/caller.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOutageProxy, type OutageProxy } from "../fixtures/an-outage-proxy.js";
import { aProcess } from "../fixtures/a-process.js";
import { expectExact } from "./expect-exact.js";
import type { Acknowledged } from "./load.js";

/** How long one call to the database or storage may take before its caller gets 503. */
export const CALL_TIMEOUT_MS = 2000;
/** Longer than {@link CALL_TIMEOUT_MS}, so that calls run into it. */
export const OUTAGE_MS = 3000;

/** What can happen to the database and to storage. */
export const outages: [name: string, interrupt: (proxy: OutageProxy) => Promise<void> | void][] = [
  ["refuses connections", (proxy) => proxy.takeDown()],
  ["stops answering", (proxy) => proxy.freeze()],
];

/** The built service as a process, which reaches its database and its storage through proxies that a test can interrupt. */
export interface ServiceOnProxies {
  database: OutageProxy;
  storage: OutageProxy;
  /** The address changes with each restart. */
  url(): string;
  project(): Promise<ProjectWithKey>;
  /** Adds a webhook endpoint for stored and deleted files. */
  endpoint(project: ProjectWithKey, url: string): Promise<EndpointWithSecret>;
  /** Makes every waiting delivery due, as time would. @returns how many there are */
  makeDeliveriesDue(): Promise<number>;
  /** Kills the process and starts another one. */
  restart(): Promise<void>;
  /** Checks that no acknowledged change is lost, and that counters, rows and objects in storage agree. */
  expectExact(project: ProjectWithKey, acknowledged: Acknowledged): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param timeoutMs how long one call to the database or storage may take before its caller gets 503
 * @param database a migrated database @default a new one
 */
export async function aServiceOnProxies(
  timeoutMs: number,
  database?: { url: string; drop(): Promise<void> },
): Promise<ServiceOnProxies> {
  database ??= await aDatabase();
  const databaseProxy = await anOutageProxy(database.url);
  const storageProxy = await anOutageProxy(inject("servers").S3_ENDPOINT);
  const sql = postgres(database.url, { max: 2, onnotice: () => undefined });
  const start = () =>
    aProcess({
      ...inject("servers"),
      PORT: "0",
      DATABASE_URL: databaseProxy.url,
      DATABASE_TIMEOUT_MS: String(timeoutMs),
      S3_ENDPOINT: storageProxy.url,
      S3_TIMEOUT_MS: String(timeoutMs),
      SWEEP_INTERVAL_MS: "200",
      WEBHOOK_ALLOW_PRIVATE: "true",
    });
  let service = await start();

  return {
    database: databaseProxy,
    storage: storageProxy,
    url: () => service.url,
    async project() {
      const { deps, close } = composeDatabaseCommands(readDatabaseConfig({ DATABASE_URL: database.url }));
      return createProject(deps, { name: "faults" }).finally(close);
    },
    async endpoint({ ref }, url) {
      const { deps, close } = composeDatabaseCommands(readDatabaseConfig({ DATABASE_URL: database.url }));
      const withSecrets = {
        ...deps,
        webhookSecrets: composeSecretBox({}, deps.db),
        webhookAddresses: { allowPrivate: true },
      };
      const [row] = await sql<{ id: string }[]>`select id from projects where ref = ${ref}`;
      const actor = { ...commandLineActor, project: { id: Number(row!.id), ref } };
      const events = ["file.stored" as const, "file.deleted" as const];
      return createEndpoint(withSecrets, actor, { url, description: "", events }).finally(close);
    },
    async makeDeliveriesDue() {
      const due = await sql`
        update webhook_deliveries set next_attempt_at = now() where next_attempt_at is not null returning event`;
      return due.length;
    },
    async restart() {
      await service.kill();
      service = await start();
    },
    expectExact: (project, acknowledged) => expectExact(sql, project.ref, acknowledged),
    async close() {
      await service.kill();
      await Promise.all([databaseProxy.close(), storageProxy.close(), sql.end()]);
      await database.drop();
    },
  };
}
