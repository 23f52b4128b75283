import { inject } from "vitest";
import { openDatabase } from "#db/client.js";
import { createBatchedMarkStored } from "#files/settle/mark-stored.js";
import { createBatchedAdmit } from "#files/upload/admit-uploads.js";
import { withReplacements } from "#files/upload/admit-replacement.js";
import { watchedOperations } from "#health/watch-store.js";
import { addMs } from "#lib/time.js";
import type { ObjectStore, PublicBucket } from "#object-store/object-store.js";
import type { World } from "../fixtures/a-world.js";
import { aStatementGate, type GateEvents } from "./statement-gate.js";

/** The dependencies of the verbs in one process: its connections and its requests to storage wait at the gate. */
export type ReplicaDeps = World["deps"] & { settling: World["deps"] };

export interface Replica {
  deps: ReplicaDeps;
  /** Sets its clock ahead of the world's. */
  setAhead(ms: number): void;
  /** Sends the PUT of a browser. @param isExpired storage refuses it then */
  put(path: string, sizeBytes: number, isExpired: () => boolean): Promise<void>;
  close(): Promise<void>;
}

const CONNECTIONS = 42;

export async function aReplica(world: World, events: GateEvents): Promise<Replica> {
  const gate = await aStatementGate(world.databaseUrl, events);
  const db = openDatabase({ url: gate.url, poolSize: CONNECTIONS, timeoutMs: 60_000 });
  let aheadMs = 0;
  const clock = () => addMs(world.deps.clock(), aheadMs);
  const { defaultQuotaBytes, defaultLimits } = world.deps;
  const batching = { isSeparate: () => inject("citus") !== null };
  const own = {
    ...world.deps,
    db,
    clock,
    admit: withReplacements(db, createBatchedAdmit(db, batching)),
    markStored: createBatchedMarkStored({ db, clock, defaultQuotaBytes, defaultLimits }, batching),
    store: gatedStore(world.deps.store, events),
  };
  return {
    deps: { ...own, settling: own },
    setAhead: (ms) => void (aheadMs = ms),
    async put(path, sizeBytes, isExpired) {
      await events.arrive("PUT of a browser");
      if (!isExpired()) await world.deps.store.write(path, Buffer.from("x".repeat(sizeBytes)), "text/plain");
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

function gatedRequests<Bucket extends object>(bucket: Bucket, name: string, { arrive }: GateEvents): Bucket {
  const gated = { ...bucket } as Record<string, unknown>;
  for (const request of REQUESTS) {
    const send = gated[request] as ((...args: unknown[]) => Promise<unknown>) | undefined;
    if (!send) continue;
    gated[request] = async (...args: unknown[]) => {
      await arrive(`${name} ${request}`);
      return send(...args);
    };
  }
  return gated as Bucket;
}
