import type { ChosenWebhookEventType } from "@stowage/schemas";
import postgres from "postgres";
import { inject } from "vitest";
import type { ProjectWithKey } from "#projects/create-project.js";
import { changeEndpoint, type EndpointWithSecret } from "#webhooks/manage-endpoints.js";
import { redeliverSince } from "#webhooks/redeliver.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOutageProxy, type OutageProxy } from "../fixtures/an-outage-proxy.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { expectExact } from "./expect-exact.js";
import type { Acknowledged } from "./load.js";
import { makeDeliveriesDue, operatorsOf } from "./operators-of.js";

/** How long one call to the database or storage may take before its caller gets 503. */
export const CALL_TIMEOUT_MS = 2000;
/** Longer than {@link CALL_TIMEOUT_MS}, so that calls run into it. */
export const OUTAGE_MS = 3000;
/** A supervisor starts the service again for so long. */
const STARTING_MS = 120_000;

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
  /** Adds a webhook endpoint. @param events @default stored and deleted files */
  endpoint(
    project: ProjectWithKey,
    url: string,
    events?: ChosenWebhookEventType[],
  ): Promise<EndpointWithSecret>;
  /** Enables an endpoint again and sends everything that it missed. */
  reenable(project: ProjectWithKey, endpoint: EndpointWithSecret): Promise<void>;
  /** Makes every waiting delivery due, as time would. @returns how many there are, with the changes that are not fanned out */
  makeDeliveriesDue(): Promise<number>;
  rows<Row>(text: string, parameters: string[]): Promise<Row[]>;
  kill(): Promise<void>;
  /** Kills the process and starts another one. */
  restart(): Promise<void>;
  /** Checks that no acknowledged change is lost, and that counters, rows and objects in storage agree. */
  expectExact(project: ProjectWithKey, acknowledged: Acknowledged): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param timeoutMs how long one call to the database or storage may take before its caller gets 503
 * @param database a migrated database @default a new one
 * @param settings further ones, read at each start. @default webhooks may go to private addresses
 */
export async function aServiceOnProxies(
  timeoutMs: number,
  database?: { url: string; drop(): Promise<void> },
  settings: Record<string, string> = { WEBHOOK_ALLOW_PRIVATE: "true" },
): Promise<ServiceOnProxies> {
  database ??= await aDatabase();
  const databaseProxy = await anOutageProxy(database.url);
  const storageProxy = await anOutageProxy(inject("servers").S3_ENDPOINT);
  const sql = postgres(database.url, { max: 2, onnotice: () => undefined });
  const operators = operatorsOf(database.url);
  /** Starts it again if it ends, as a supervisor does: a busy machine may need longer than `timeoutMs` for the first connection. */
  const start = (until = Date.now() + STARTING_MS): Promise<ServiceProcess> =>
    aProcess({
      ...inject("servers"),
      PORT: "0",
      DATABASE_URL: databaseProxy.url,
      DATABASE_TIMEOUT_MS: String(timeoutMs),
      S3_ENDPOINT: storageProxy.url,
      S3_TIMEOUT_MS: String(timeoutMs),
      SWEEP_INTERVAL_MS: "200",
      ...settings,
    }).catch((error: unknown) => {
      if (Date.now() > until) throw error;
      return start(until);
    });
  let service = await start();

  return {
    database: databaseProxy,
    storage: storageProxy,
    url: () => service.url,
    project: () => operators.project({ name: "faults" }),
    endpoint: (project, url, events = ["file.stored", "file.deleted"]) =>
      operators.endpoint(project, url, events),
    reenable: (project, { ref: endpointRef, createdAt: since }) =>
      operators.inProject(project, async (deps, actor) => {
        await changeEndpoint(deps, actor, { endpointRef, isEnabled: true });
        let after: string | null | undefined;
        do {
          const again = { endpointRef, since, ...(after && { after }) };
          after = (await redeliverSince(deps, actor, again)).next;
        } while (after !== null);
      }),
    makeDeliveriesDue: () => makeDeliveriesDue(sql),
    rows: async <Row>(text: string, parameters: string[]) =>
      [...(await sql.unsafe(text, parameters))] as Row[],
    kill: () => service.kill(),
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
