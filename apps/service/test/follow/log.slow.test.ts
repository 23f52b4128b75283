import { setTimeout as sleep } from "node:timers/promises";
import { parse, type FollowedEvent, followEventsQuery } from "@stowage/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serviceActor } from "#audit/caller.js";
import type { Transaction } from "#db/client.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { readEvents } from "#follow/read-events.js";
import { DAY_MS } from "#lib/time.js";
import { emitFileEvents } from "#outbox/emit-events.js";
import { deleteTenant } from "#purge/delete-tenant.js";
import { deleteOldEvents } from "#webhooks/delete-old-events.js";
import { fanOutProject } from "#webhooks/fan-out-events.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

const read = (project: Project, query: Record<string, string | number> = {}) =>
  readEvents(world.deps, project, parse(followEventsQuery, query));

/** Reads page by page until there are no more. */
async function readAll(project: Project, after?: string, limit = 1000) {
  const events: FollowedEvent[] = [];
  for (let cursor = after; ;) {
    const page = await read(project, { ...(cursor && { after: cursor }), limit });
    events.push(...page.events);
    cursor = page.nextCursor;
    if (page.events.length === 0) return { events, cursor };
  }
}

/** What an event is about, in short. */
const brief = ({ type, data }: FollowedEvent) =>
  `${type} ${String(type.startsWith("file.") ? data["filename"] : data["tenant_id"])}`;

async function store(project: Project, filename: string, tenantId = "t"): Promise<string> {
  const upload = await world.upload(project, { tenant_id: tenantId, filename, size: 5 });
  expect(await put(upload, "hello")).toBe(200);
  await world.complete(project, upload.filePath);
  return upload.filePath;
}

const remove = (project: Project, path: string) =>
  deleteFiles(world.deps, project, { paths: [path], tenantId: undefined, mustExist: true, purge: true });

function aPromise() {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<void>((...ends) => ([resolve, reject] = ends));
  return { promise, resolve, reject };
}

/** Starts a transaction that does `work`, and returns how it ends. */
async function hold(work: (tx: Transaction) => Promise<unknown>) {
  const [didWork, mayEnd] = [aPromise(), aPromise()];
  const ended = world.deps.db.run((db) =>
    db.transaction(async (tx) => {
      await work(tx);
      didWork.resolve();
      await mayEnd.promise;
    }),
  );
  ended.catch(didWork.reject);
  await didWork.promise;
  return {
    commit: () => (mayEnd.resolve(), ended),
    rollBack: () => (mayEnd.reject(new Error("rolled back")), ended.catch(() => undefined)),
  };
}

/** Writes an event about a file, as every change of a file does. */
async function touch(tx: Transaction, project: Project, path: string): Promise<void> {
  const [row] = await tx.execute<{ id: number }>(
    `update files set revision = revision + 1 where project_id = ${project.id} and path = '${path}' returning id`,
  );
  await emitFileEvents(tx, "file.restored", { projectId: project.id, at: new Date() }, [Number(row!.id)]);
}

test("the first call has what was stored before, and every later event follows once", async () => {
  const project = await world.project();
  await store(project, "a.txt");
  await remove(project, await store(project, "gone.txt"));
  const first = await readAll(project);
  expect(first.events.map(brief)).toEqual(["tenant.created t", "file.stored a.txt"]);
  expect(first.events[1]).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    data: { project_ref: project.ref, status: "stored", size: 5, tenant_id: "t" },
  });
  const path = await store(project, "b.txt", "u");
  await remove(project, path);
  const second = await readAll(project, first.cursor);
  expect(second.events.map(brief)).toEqual(["tenant.created u", "file.stored b.txt", "file.deleted b.txt"]);
  expect((await readAll(project, second.cursor)).events).toEqual([]);
  expect((await readAll(project)).events).toEqual([...first.events, ...second.events]);
});

test("an event whose transaction commits after a later one was read is not skipped", async () => {
  const project = await world.project();
  const [a, b] = [await store(project, "a.txt"), await store(project, "b.txt")];
  const { cursor } = await readAll(project);
  const held = await hold((tx) => touch(tx, project, a));
  await remove(project, b);
  const between = await readAll(project, cursor);
  expect(between.events.map(brief)).toEqual(["file.deleted b.txt"]);
  await held.commit();
  const after = await readAll(project, between.cursor);
  expect(after.events.map(brief)).toEqual(["file.restored a.txt"]);
  expect((await readAll(project, cursor)).events).toEqual([...between.events, ...after.events]);
});

test("an event whose transaction is rolled back never appears", async () => {
  const project = await world.project();
  const path = await store(project, "a.txt");
  const { cursor } = await readAll(project);
  const held = await hold((tx) => touch(tx, project, path));
  await held.rollBack();
  expect((await readAll(project, cursor)).events).toEqual([]);
});

test("a change that began before the log began, and ends later, leaves no wrong state behind", async () => {
  const project = await world.project();
  const [kept, changed] = [await store(project, "kept.txt"), await store(project, "changed.txt")];
  await store(project, "b.txt", "u");
  // Without an event, as a transaction writes none that has looked for a log before the log began.
  const held = await hold((tx) =>
    tx.execute(
      `update files set status = 'deleting', revision = revision + 1 where project_id = ${project.id} and path = '${changed}'`,
    ),
  );
  const late = await hold((tx) =>
    tx.execute(
      `insert into tenants (project_id, tenant_id, created_at) values (${project.id}, 'late', now())`,
    ),
  );
  const first = await readAll(project);
  const there = ["tenant.created t", "tenant.created u", "file.stored kept.txt", "file.stored b.txt"];
  expect(first.events.map(brief)).toEqual(there);
  await Promise.all([held.commit(), late.commit()]);
  // The second look waits for every transaction of the server, also for those of other tests.
  let second = await readAll(project, first.cursor);
  while (second.events.length === 0) second = await readAll(project, second.cursor);
  expect(second.events.map(brief)).toEqual(["tenant.created late"]);
  await remove(project, kept);
  expect((await readAll(project, second.cursor)).events.map(brief)).toEqual(["file.deleted kept.txt"]);
});

test("pages have the limit, and a page of some types goes on after the others", async () => {
  const project = await world.project();
  for (const name of ["a", "b", "c"]) await remove(project, await store(project, name));
  const { cursor } = await readAll(project);
  for (const name of ["d", "e", "f"]) await remove(project, await store(project, name));
  const all = await readAll(project, cursor, 2);
  expect(all.events.map(brief)).toEqual(
    ["d", "e", "f"].flatMap((name) => [`file.stored ${name}`, `file.deleted ${name}`]),
  );
  const one = await read(project, { after: cursor, types: "file.deleted", limit: 2 });
  expect(one.events.map(brief)).toEqual(["file.deleted d", "file.deleted e"]);
  const two = await read(project, { after: one.nextCursor, types: "file.deleted", limit: 2 });
  expect(two.events.map(brief)).toEqual(["file.deleted f"]);
  const none = await read(project, { after: cursor, types: "tenant.quota_reached,file.expired" });
  expect(none).toEqual({ events: [], nextCursor: all.cursor });
});

test("refuses a cursor of another project, and text that is no cursor", async () => {
  const [project, other] = [await world.project(), await world.project()];
  const { cursor } = await readAll(other);
  for (const after of [cursor, "", "x", "W10", Buffer.from('["events",1]').toString("base64url")])
    await expect(read(project, { after })).rejects.toMatchObject({
      code: "invalid_request",
      message: "cursor is not valid",
    });
});

test("after 30 days an event is gone, and a cursor before it says so", async () => {
  const past = await aWorld();
  const inPast = world;
  world = past;
  try {
    const project = await world.project();
    const { cursor } = await readAll(project);
    await store(project, "old.txt");
    const { cursor: read30 } = await readAll(project, cursor);
    world.advance(20 * DAY_MS);
    await store(project, "new.txt");
    world.advance(10 * DAY_MS + 1);
    await deleteOldEvents(world.deps);
    await expect(readAll(project, cursor)).rejects.toMatchObject({ code: "cursor_expired", status: 410 });
    const kept = ["file.stored new.txt"];
    expect((await readAll(project, read30)).events.map(brief)).toEqual(kept);
    const newest = await readAll(project);
    expect(newest.events.map(brief)).toEqual(kept);

    // Without a read for 32 days the log stops, and the next reader gets cursor_expired.
    world.advance(32 * DAY_MS);
    await deleteOldEvents(world.deps);
    await remove(project, await store(project, "unseen.txt"));
    await expect(readAll(project, newest.cursor)).rejects.toMatchObject({ code: "cursor_expired" });
    await store(project, "again.txt");
    expect((await readAll(project)).events.map(brief)).toEqual(["file.stored again.txt"]);
  } finally {
    world = inPast;
    await past.close();
  }
});

test("the deletion of a tenant removes its events, also one that was not read, and no other", async () => {
  const project = await world.project();
  const { cursor } = await readAll(project);
  await store(project, "a.txt", "erased");
  await readAll(project);
  await store(project, "b.txt", "kept");
  await remove(project, await store(project, "c.txt", "erased"));
  const by = serviceActor;
  for (let left = 1; left > 0;) left = (await deleteTenant(world.deps, project, "erased", by)).remainingFiles;
  expect((await readAll(project, cursor)).events.map(brief)).toEqual([
    "tenant.created kept",
    "file.stored b.txt",
  ]);
  const rows = await world.rows(
    `select data::text as data from webhook_events where project_id = $1 union all select rows::text from webhook_outbox where project_id = $1`,
    [project.id],
  );
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain("erased");
});

/** Numbers that a seed decides, so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test.each([1, 2, 3])(
  "readers, writers that wait or fail, and replicas that fan out: each reader gets each event once, all in one order (seed %i)",
  async (seed) => {
    const random = randomOf(seed);
    const project = await world.project();
    const paths: string[] = [];
    for (let n = 0; n < 6; n++) paths.push(await store(project, `${n}.txt`));
    const { cursor } = await readAll(project);
    const committed = new Map<string, number>();
    const written = new AbortController();

    async function write(path: string): Promise<void> {
      for (let n = 0; n < 12; n++) {
        const [pauseMs, fails] = [random(30), random(4) === 0];
        const held = await hold((tx) => touch(tx, project, path));
        await sleep(pauseMs);
        await (fails ? held.rollBack() : held.commit());
        if (!fails) committed.set(path, (committed.get(path) ?? 0) + 1);
      }
    }
    async function follow(limit: number): Promise<FollowedEvent[]> {
      const seen: FollowedEvent[] = [];
      for (let after = cursor; ;) {
        const wasWriting = !written.signal.aborted;
        const page = await read(project, { after, limit });
        seen.push(...page.events);
        after = page.nextCursor;
        if (page.events.length === 0 && !wasWriting) return seen;
      }
    }
    async function fanOut(): Promise<void> {
      while (!written.signal.aborted) await fanOutProject(world.deps.db, project.id);
    }

    const writing = Promise.all(paths.map(write)).finally(() => written.abort());
    const [first, ...others] = await Promise.all([follow(1), follow(3), follow(1000), fanOut(), writing]);
    for (const seen of others.slice(0, 2)) expect(seen).toEqual(first);
    expect(new Set(first.map(({ id }) => id)).size).toBe(first.length);
    const counts = new Map<string, number>();
    for (const { data } of first) {
      const path = String(data["file_path"]);
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    expect(counts).toEqual(committed);
    expect(world.failures).toEqual([]);
  },
);
