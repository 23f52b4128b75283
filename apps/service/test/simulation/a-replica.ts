import { createHash } from "node:crypto";
import { inject } from "vitest";
import { openDatabase } from "#db/client.js";
import { createBatchedMarkStored } from "#files/settle/mark-stored.js";
import { createBatchedAdmit } from "#files/upload/admit-uploads.js";
import { withReplacements } from "#files/upload/admit-replacement.js";
import { watchedOperations } from "#health/watch-store.js";
import { addMs } from "#lib/time.js";
import type { ObjectStore, PublicBucket } from "#object-store/object-store.js";
import type { MoveNowDeps } from "#visibility/set-visibility.js";
import type { World } from "../fixtures/a-world.js";
import { aStatementGate, type GateEvents } from "./statement-gate.js";

/** The dependencies of the verbs in one process: its connections and its requests to storage wait at the gate. */
export type ReplicaDeps = World["deps"] & { settling: World["deps"] & Pick<MoveNowDeps, "sleep"> };

export interface Replica {
  deps: ReplicaDeps;
  /** Sets its clock back to the world's, and its random numbers to those of its begin. */
  restart(): void;
  /** Sets its clock ahead of the world's, as one step. */
  advance(ms: number): Promise<void>;
  /** Sends the PUT of a browser. @param isExpired storage refuses it then */
  put(path: string, sizeBytes: number, isExpired: () => boolean): Promise<void>;
  close(): Promise<void>;
}

const CONNECTIONS = 42;

/** @param name of the process. Its random numbers are made of it, so that equal schedules end in equal states */
export async function aReplica(world: World, name: string, events: GateEvents): Promise<Replica> {
  const gate = await aStatementGate(world.databaseUrl, events);
  const db = openDatabase({ url: gate.url, poolSize: CONNECTIONS, timeoutMs: 60_000 });
  let aheadMs = 0;
  let numbers = 0;
  const clock = () => addMs(world.deps.clock(), aheadMs);
  const { defaultQuotaBytes, defaultLimits } = world.deps;
  const batching = { isSeparate: () => inject("citus") !== null };
  const admit = createBatchedAdmit(db, batching);
  const own: World["deps"] = {
    ...world.deps,
    db,
    clock,
    randomBytes: (size: number) =>
      createHash("shake256", { outputLength: size }).update(`${name} ${++numbers}`).digest(),
    // A planted fault changes what it does.
    admit: (...input) => withReplacements(db, admit)(...input),
    markStored: createBatchedMarkStored({ db, clock, defaultQuotaBytes, defaultLimits }, batching),
    store: gatedStore(world.deps.store, events),
  };
  return {
    deps: { ...own, settling: { ...own, sleep: () => events.request("a pause", async () => undefined) } },
    restart: () => void ([aheadMs, numbers] = [0, 0]),
    advance: (ms) => events.request("a clock that is ahead", async () => void (aheadMs = ms)),
    async put(path, sizeBytes, isExpired) {
      await events.request("PUT of a browser", async () => {
        if (!isExpired())
          await world.deps.store.write(path, Buffer.from("x".repeat(sizeBytes)), "text/plain");
      });
    },
    async close() {
      await db.close();
      await gate.close();
    },
  };
}

const REQUESTS = [...watchedOperations, "publish", "takeBack"] as const;

/** Every request to storage is one step. */
function gatedStore(store: ObjectStore & World["deps"]["store"], events: GateEvents): World["deps"]["store"] {
  const published = store.published && gatedRequests<PublicBucket>(store.published, "public", events);
  return { ...gatedRequests(store, "private", events), published };
}

function gatedRequests<Bucket extends object>(
  bucket: Bucket,
  name: string,
  { request: ask }: GateEvents,
): Bucket {
  const gated = { ...bucket } as Record<string, unknown>;
  for (const request of REQUESTS) {
    const send = gated[request] as ((...args: unknown[]) => Promise<unknown>) | undefined;
    if (!send) continue;
    gated[request] = (...args: unknown[]) => ask(`${name} ${request}`, () => send(...args));
  }
  return gated as Bucket;
}
