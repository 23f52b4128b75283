import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@stowage/dev-postgres";
import postgres, { type Sql } from "postgres";
import { inject } from "vitest";
import { operatorsOf } from "@stowage/service/test/faults/operators-of.js";
import { aDatabaseNode, type DatabaseNode } from "@stowage/service/test/fixtures/a-database-node.js";
import { anOutageProxy, type OutageProxy } from "@stowage/service/test/fixtures/an-outage-proxy.js";
import { aReceiver, type Received, withStatus } from "@stowage/service/test/fixtures/a-receiver.js";
import { verified } from "@stowage/service/test/fixtures/an-endpoint.js";
import type { SoakProject } from "./load-state.js";
import type { Random } from "./random.js";
import { startWorkers, type Workers } from "./workers.js";
import { runStowage } from "./command-line.js";
import { PRESET, VARIANT_WIDTH } from "./contents.js";
import { createSecondBucket, writeStorages } from "./storages.js";
import { type Replica, type Replicas, replicasOf } from "./replicas.js";

/** How far the clock of a replica may be off. */
export const MAX_CLOCK_ERROR_MS = 120_000;

/** An event at the receiver. */
export interface Arrival {
  path: string;
  type: string;
  size: number | null;
  isAccepted: boolean;
}

export interface SoakReceiver {
  proxy: OutageProxy;
  /** From now on it answers 500, or 204 again. */
  refuse(isRefusing: boolean): void;
  /** By `webhook-id`, in the order of their first acceptance. */
  arrivals: Map<string, Arrival>;
  requests(): number;
  /** Adds an endpoint of a project. Its webhooks must have signatures of this secret. */
  expect(path: string, secret: string): void;
  /** What was wrong with webhooks that arrived. */
  wrong: string[];
  url: string;
  close(): Promise<void>;
}

/** Everything that a soak runs. All of it listens on 127.0.0.1. */
export interface SoakedSystem {
  database: DatabaseNode;
  /** Connections past the proxies. They outlive restarts of the database. */
  sql: Sql;
  replicas: Replicas;
  /** It is never killed, and its clock is right. */
  steady: Replica;
  workers: Workers;
  projects: SoakProject[];
  receiver: SoakReceiver;
  settings: Record<string, string>;
  close(): Promise<void>;
}

export const aClockError = (random: Random): number =>
  Math.round((random.next() * 2 - 1) * MAX_CLOCK_ERROR_MS);

/** Starts PostgreSQL, three replicas of the built service, two with wrong clocks, two workers, and a receiver of webhooks. */
export async function aSoakedSystem(random: Random, leakBytes: number): Promise<SoakedSystem> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-soak-"));
  const ends: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
  const close = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const database = await aDatabaseNode(join(dir, "postgres"), await freePort());
    ends.push(() => database.kill());
    const sql = postgres(database.url, { max: 2, onnotice: () => undefined });
    ends.push(() => sql.end({ timeout: 5 }));
    const storage = inject("servers");
    await createSecondBucket();
    const settings = {
      S3_REGION: storage.S3_REGION,
      S3_BUCKET: storage.S3_BUCKET,
      S3_ACCESS_KEY_ID: storage.S3_ACCESS_KEY_ID,
      S3_SECRET_ACCESS_KEY: storage.S3_SECRET_ACCESS_KEY,
      WEBHOOK_ALLOW_PRIVATE: "true",
    };
    const replicas = replicasOf({
      dir,
      databaseUrl: database.url,
      storageUrl: storage.S3_ENDPOINT,
      settings,
      leakBytes,
    });
    ends.push(() => replicas.close());
    const steady = await replicas.add("steady", 0);
    await replicas.add("ahead", MAX_CLOCK_ERROR_MS);
    await replicas.add("behind", aClockError(random));
    const receiver = await aSoakReceiver();
    ends.push(() => receiver.close());
    const projects = await createProjects(database.url, receiver);
    const storagesFile = join(dir, "storages.json");
    await writeStorages(storagesFile, storage.S3_ENDPOINT);
    const whole = {
      ...settings,
      DATABASE_URL: database.url,
      S3_ENDPOINT: storage.S3_ENDPOINT,
      STORAGES_FILE: storagesFile,
    };
    for (const { ref, isScanned } of projects) if (isScanned) await letScan(whole, ref);
    const workers = await startWorkers({
      dir,
      databaseUrl: database.url,
      storageUrl: storage.S3_ENDPOINT,
      settings,
    });
    ends.push(() => workers.close());
    return { database, sql, replicas, steady, workers, projects, receiver, settings: whole, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Each tenant of the project without a trash has a small quota, so that uploads reach it. */
const SMALL_QUOTA_BYTES = 12 * 1024 ** 2;

async function createProjects(databaseUrl: string, receiver: SoakReceiver): Promise<SoakProject[]> {
  const operators = operatorsOf(databaseUrl);
  const inputs: Parameters<typeof operators.project>[0][] = [
    { name: "with a trash and versions", trashDays: 7, maxVersions: 3 },
    { name: "without a trash", defaultQuotaBytes: SMALL_QUOTA_BYTES },
    { name: "scanned, with pictures", trashDays: 7 },
  ];
  return Promise.all(
    inputs.map(async (input, index) => {
      const project = await operators.project(input);
      const path = `/${index}`;
      const events = [
        "file.stored",
        "file.deleted",
        "file.restored",
        "file.expired",
        "file.updated",
        "file.scanned",
      ] as const;
      const { secret } = await operators.endpoint(project, new URL(path, receiver.url).href, [...events]);
      receiver.expect(path, secret);
      const { trashDays = 0, maxVersions = 0 } = input;
      return { ...project, index, hasTrash: trashDays > 0, maxVersions, isScanned: index === 2 };
    }),
  );
}

/** Files of the project are scanned, and pictures have variants. */
async function letScan(settings: Record<string, string>, ref: string): Promise<void> {
  const width = String(VARIANT_WIDTH);
  for (const args of [
    ["project", "set", ref, "--scan", "clamav"],
    ["preset", "set", PRESET, "--project", ref, "--width", width, "--format", "webp", "--eager", "on"],
  ]) {
    const { code, lines } = await runStowage(settings, args);
    if (code !== 0) throw new Error(lines.join("\n"));
  }
}

async function aSoakReceiver(): Promise<SoakReceiver> {
  const receiver = await aReceiver();
  const proxy = await anOutageProxy(receiver.url);
  const secrets = new Map<string, string>();
  const arrivals = new Map<string, Arrival>();
  const wrong: string[] = [];
  let isRefusing = false;
  let requests = 0;
  const keep = (received: Received) => {
    const event = verified(received, secrets.get(received.path) ?? "");
    const id = String(received.headers["webhook-id"]);
    const [path, size] = [String(event.data["file_path"]), event.data["size"] as number | null];
    const earlier = arrivals.get(id);
    if (earlier && (earlier.path !== path || earlier.type !== event.type))
      wrong.push(`two events with the ID ${id}`);
    // A map keeps the order of the first insertion.
    if (!earlier?.isAccepted) arrivals.delete(id);
    arrivals.set(id, {
      path,
      type: event.type,
      size,
      isAccepted: !isRefusing || earlier?.isAccepted === true,
    });
  };
  receiver.answer = (response, received) => {
    requests++;
    // The soak runs for long, so the bodies are not kept.
    receiver.received.length = 0;
    try {
      keep(received);
    } catch (error) {
      wrong.push(String(error));
    }
    withStatus(isRefusing ? 500 : 204)(response, received);
  };
  return {
    proxy,
    url: proxy.url,
    refuse: (refusing) => void (isRefusing = refusing),
    arrivals,
    requests: () => requests,
    expect: (path, secret) => void secrets.set(path, secret),
    wrong,
    close: async () => {
      await proxy.close();
      await receiver.close();
    },
  };
}
