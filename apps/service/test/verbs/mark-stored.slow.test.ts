import { afterAll, beforeAll, expect, test } from "vitest";
import { markDeleting } from "#files/end/mark-deleting.js";
import { createBatchedMarkStored } from "#files/settle/mark-stored.js";
import { type FoundUpload, markUploadsStored } from "#files/settle/mark-stored.js";
import { readFileRow } from "../fixtures/file-row.js";
import { recount } from "#reconcile/recount.js";
import { updateUsageCounters, noUsageChange } from "#tenants/usage-counters.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

/** Requests an upload, and returns its row with an object of this size, as a check of storage would find them. */
async function anArrival(project: Project, sizeBytes: number, tenant = "t"): Promise<FoundUpload> {
  const { filePath } = await world.upload(project, { tenant_id: tenant, size: sizeBytes });
  return arrivalAt(project, filePath, sizeBytes);
}

async function arrivalAt(project: Project, path: string, sizeBytes: number): Promise<FoundUpload> {
  const seen = await readFileRow(world.deps, project.id, path);
  return { seen: seen!, object: { sizeBytes, etag: `etag of ${sizeBytes}` } };
}

async function expectExactCounters(projects: Project[]): Promise<void> {
  for await (const drift of recount(world.deps, projects)) expect(drift).toBeUndefined();
}

/** Reads the uploads in a project's daily usage, and checks that its tenants' daily usage adds up to them. */
async function readDailyUploads({ id }: Project) {
  const sums = (table: string) =>
    world.rows(
      `select sum(uploads)::int as files, sum(uploaded_bytes)::bigint as bytes from ${table} where project_id = $1`,
      [id],
    );
  const [[ofProject], [ofTenants]] = await Promise.all([sums("project_usage_daily"), sums("usage_daily")]);
  expect(ofProject).toEqual(ofTenants);
  return ofProject;
}

test("one statement records files of several projects and tenants, except those changed since they were read", async () => {
  const [one, other] = await Promise.all([world.project(), world.project()]);
  const deleted = await anArrival(one, 1);
  const settled = await anArrival(one, 2);
  const fresh = await anArrival(one, 4);
  const ofOtherTenant = await anArrival(one, 8, "u");
  const ofOtherProject = await anArrival(other, 16);
  await markDeleting(world.deps, one, { paths: [deleted.seen.path], tenantId: undefined, actor: null });
  expect(await markUploadsStored(world.deps, [settled])).toEqual([true]);
  const arrivals = [ofOtherProject, deleted, fresh, settled, ofOtherTenant, fresh];
  const recorded = await markUploadsStored(world.deps, arrivals);
  expect(recorded.filter((_, at) => arrivals[at] !== fresh)).toEqual([true, false, false, true]);
  // The batch contains two checks of this file. Either of them may be the recorded one.
  expect(recorded.filter((_, at) => arrivals[at] === fresh).toSorted()).toEqual([false, true]);
  expect(await world.tenant(one)).toEqual({ used: 6, reserved: 0, files: 2 });
  expect(await world.tenant(one, "u")).toEqual({ used: 8, reserved: 0, files: 1 });
  expect(await world.tenant(other)).toEqual({ used: 16, reserved: 0, files: 1 });
  expect(await readDailyUploads(one)).toEqual({ files: 3, bytes: 14 });
  expect(await readDailyUploads(other)).toEqual({ files: 1, bytes: 16 });
  expect(await world.file(fresh.seen.path)).toMatchObject({ status: "stored", size: 4 });
  await expectExactCounters([one, other]);
});

test("a file that the sweeper has only rescheduled is still recorded", async () => {
  const project = await world.project();
  const arrival = await anArrival(project, 1);
  await world.rows(`update files set next_check_at = now() + interval '1 minute' where path = $1`, [
    arrival.seen.path,
  ]);
  expect(await markUploadsStored(world.deps, [arrival])).toEqual([true]);
});

test("only the verdict that the same bytes are infected outlives a lost object", async () => {
  const project = await world.project();
  const [same, other] = await Promise.all([anArrival(project, 1), anArrival(project, 2)]);
  for (const { seen, object } of [same, other]) {
    await world.rows(
      "update files set scan_status = 'infected', scan_signature = 'Eicar', scanned_etag = $2 where path = $1",
      [seen.path, seen === same.seen ? object.etag : "another etag"],
    );
  }
  expect(await markUploadsStored(world.deps, [same, other])).toEqual([true, true]);
  const verdictOf = async ({ seen }: FoundUpload) =>
    world.rows("select scan_status as verdict, scan_signature as found from files where path = $1", [
      seen.path,
    ]);
  expect(await verdictOf(same)).toEqual([{ verdict: "infected", found: "Eicar" }]);
  expect(await verdictOf(other)).toEqual([{ verdict: "none", found: null }]);
});

test("a file that PostgreSQL refuses does not make the other files of its batch fail", async () => {
  const project = await world.project();
  const arrivals = await Promise.all([1, 2, 4].map((size) => anArrival(project, size)));
  arrivals[1]!.object.etag = "\0";
  const record = createBatchedMarkStored(world.deps);
  const results = await Promise.allSettled(arrivals.map(record));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await world.tenant(project)).toEqual({ used: 5, reserved: 2, files: 2 });
});

test("replicas that record the same files in different orders, during uploads and deletes, do not deadlock", async () => {
  const projects = await Promise.all([world.project(), world.project()]);
  const tenants = Array.from({ length: 12 }, (_, number) => `tenant ${number}`);
  const arrivalsOf = (names: string[], size: number) =>
    Promise.all(projects.flatMap((project) => names.map((name) => anArrival(project, size, name))));
  for (let round = 0; round < 6; round++) {
    const common = await arrivalsOf(tenants, 1);
    const replicas = await Promise.all(
      Array.from({ length: 4 }, async (_, number) => {
        const own = await arrivalsOf(number % 2 === 0 ? tenants.slice(number) : tenants.toReversed(), 2);
        const batch = number < 2 ? [...own, ...common] : [...own, ...common.toReversed()];
        return { record: createBatchedMarkStored(world.deps), batch };
      }),
    );
    const toDelete = common.filter((_, at) => at % 3 === round % 3);
    const deletes = projects.map((project) => {
      const paths = toDelete.filter(({ seen }) => seen.projectId === project.id).map(({ seen }) => seen.path);
      return markDeleting(world.deps, project, { paths, tenantId: undefined, actor: "customer" });
    });
    const uploads = projects.flatMap((project) =>
      tenants.toReversed().map((tenant_id) => world.upload(project, { tenant_id, size: 3 })),
    );
    const [recorded] = await Promise.all([
      Promise.all(replicas.map(({ record, batch }) => Promise.all(batch.map(record)))),
      ...uploads,
      ...deletes,
    ]);
    const timesRecorded = (arrival: FoundUpload) =>
      replicas.filter(({ batch }, replica) => recorded[replica]![batch.indexOf(arrival)]).length;
    for (const arrival of new Set(replicas.flatMap(({ batch }) => batch)))
      if (toDelete.includes(arrival)) expect(timesRecorded(arrival)).toBeLessThanOrEqual(1);
      else expect(timesRecorded(arrival)).toBe(1);
    await expectExactCounters(projects);
  }
});

test("counter updates of the same tenants in opposite orders do not deadlock", async () => {
  const project = await world.project();
  const names = Array.from({ length: 40 }, (_, number) => `tenant ${number}`);
  const arrivals = await Promise.all(names.map((name) => anArrival(project, 1, name)));
  const changes = arrivals.map(({ seen }) => ({ ...noUsageChange(seen.tenant), reservedBytes: 1 }));
  const when = { projectId: project.id, at: world.deps.clock() };
  await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      world.deps.db.run((db) =>
        db.transaction((tx) =>
          updateUsageCounters(tx, when, number % 2 === 0 ? changes : changes.toReversed()),
        ),
      ),
    ),
  );
  expect(await world.tenant(project, names[0])).toMatchObject({ reserved: 41 });
});

test("concurrent completions and sweeps record an upload once", async () => {
  const project = await world.project();
  const uploads = await Promise.all(Array.from({ length: 12 }, () => world.upload(project, { size: 5 })));
  await Promise.all(uploads.map((upload) => put(upload, "hello")));
  world.advance(2000);
  await Promise.all([
    ...uploads.map(({ filePath }) => world.complete(project, filePath)),
    world.sweep(),
    world.sweep(),
  ]);
  expect(await world.tenant(project)).toEqual({ used: 60, reserved: 0, files: 12 });
  expect(await readDailyUploads(project)).toEqual({ files: 12, bytes: 60 });
});
