import { expect, test } from "vitest";
import { startLoad } from "../faults/load.js";
import { call } from "../fixtures/call.js";
import { replicasBehindPgbouncer, type ReplicasBehindPgbouncer } from "./replicas-behind-pgbouncer.js";

const REPLICAS = 3;
const LISTERS = 3;

/** Lists files and reads the usage until it is stopped. */
function startLists({ nextUrl }: ReplicasBehindPgbouncer, key: string) {
  const stopping = new AbortController();
  const statuses: Record<string, number> = {};
  const list = async () => {
    while (!stopping.signal.aborted) {
      for (const path of ["files/?limit=20", "files/?q=a", "usage/?tenant_id=t1", "tenants/"]) {
        const { status } = await call(`${nextUrl()}/api/storage/${path}`, { key }).catch(() => ({
          status: 0,
        }));
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }
  };
  const running = Promise.all(Array.from({ length: LISTERS }, list));
  return {
    /** @returns how many answers had each status; 0: no answer */
    async stop(): Promise<Record<string, number>> {
      stopping.abort();
      await running;
      return statuses;
    },
  };
}

test("three replicas that start one after the other under load answer every request and log no error", async () => {
  const service = await replicasBehindPgbouncer({ DATABASE_PREPARED: "off" });
  try {
    await service.startOne();
    const project = await service.project();
    const load = startLoad(service.nextUrl, project.apiKey);
    const lists = startLists(service, project.apiKey);
    await load.completesMore(10);
    while (service.replicas.length < REPLICAS) {
      const replica = await service.startOne();
      expect((await call(`${replica.url}/readyz`)).status).toBe(200);
      await load.completesMore(20);
    }
    await load.completesMore(30);
    await load.stop();
    expect(Object.keys(await lists.stop())).toEqual(["200"]);
    expect(load.acknowledged).toMatchObject({ wrong: [], unavailable: 0, broken: 0 });
    await service.expectExact(project, load.acknowledged);
    expect(service.replicas.flatMap((replica) => replica.problems())).toEqual([]);
    expect(await service.databaseErrors()).toEqual([]);
    const locks = await service.sql`select mode from pg_locks where locktype = 'advisory'`;
    expect([...locks]).toEqual([]);
  } finally {
    await service.close();
  }
});

test("a replica that is killed in the middle of the load loses nothing", async () => {
  const service = await replicasBehindPgbouncer({ DATABASE_PREPARED: "off" });
  try {
    for (let i = 0; i < REPLICAS; i++) await service.startOne();
    const project = await service.project();
    const load = startLoad(service.nextUrl, project.apiKey);
    const lists = startLists(service, project.apiKey);
    await load.completesMore(20);
    const killed = service.replicas[1]!;
    await killed.kill();
    // A load balancer takes a moment to notice. Until then it sends requests to the killed replica.
    await expect.poll(() => load.acknowledged.broken).toBeGreaterThan(0);
    service.replicas.splice(1, 1);
    await load.completesMore(20);
    await service.startOne();
    await load.completesMore(20);
    await load.stop();
    await lists.stop();
    expect(load.acknowledged.unavailable).toBe(0);
    await service.expectExact(project, load.acknowledged);
    expect(service.replicas.flatMap((replica) => replica.problems())).toEqual([]);
    expect(await service.databaseErrors()).toEqual([]);
  } finally {
    await service.close();
  }
});

test("a service whose prepared statements are lost answers every request, and its log says once what to set", async () => {
  const service = await replicasBehindPgbouncer();
  try {
    const replica = await service.startOne();
    const project = await service.project();
    const load = startLoad(service.nextUrl, project.apiKey);
    const lists = startLists(service, project.apiKey);
    await load.completesMore(40);
    await expect.poll(() => replica.problems()).toHaveLength(1);
    const before = await service.databaseErrors();
    await load.completesMore(40);
    await load.stop();
    expect(Object.keys(await lists.stop())).toEqual(["200"]);
    expect(load.acknowledged).toMatchObject({ wrong: [], unavailable: 0, broken: 0 });
    await service.expectExact(project, load.acknowledged);
    expect(replica.problems()).toEqual([expect.stringContaining("Set DATABASE_PREPARED=off.")]);
    expect(before.every((line) => line.includes("prepared statement"))).toBe(true);
    expect(await service.databaseErrors()).toEqual(before);
  } finally {
    await service.close();
  }
});
