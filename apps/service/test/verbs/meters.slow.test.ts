import { parse, deleteRequest } from "@stowage/schemas";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deleteFiles } from "#files/delete/delete-files.js";
import { endFiles } from "#files/lifecycle/end-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { applyStorageState } from "#files/settle/apply-storage-state.js";
import { markUploadsStored } from "#files/settle/mark-stored.js";
import { addMs, DAY_MS, HOUR_MS, SECOND_MS, toUtcDay } from "#lib/time.js";
import { commandLineActor } from "#audit/caller.js";
import { deleteTenant } from "#purge/delete-tenant.js";
import { expireMissing } from "#reconcile/expire-missing.js";
import { repairCounters } from "#reconcile/repair-counters.js";
import { createDownloadMeter } from "#tenants/download-meter.js";
import { readDailyUsage, readMonthlyUsage } from "#tenants/read-meters.js";
import { noUsageChange, updateUsageCounters } from "#tenants/usage-counters.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import { readFileRow } from "../fixtures/file-row.js";
import { histories } from "../fixtures/histories.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
  world.stopClock();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;
type Deps = World["deps"];

const TENANTS = ["t", "u", "v"];

/** Stops the clock at this time of the next day. */
function advanceTo(timeMs: number): Date {
  const now = world.deps.clock().getTime();
  world.advance(DAY_MS - (now % DAY_MS) + timeMs);
  return world.deps.clock();
}

/** Records that storage has these bytes, as a check would find them. Meters need no object. */
async function found(deps: Deps, project: Project, path: string, sizeBytes: number): Promise<void> {
  const seen = await readFileRow(deps, project.id, path);
  await applyStorageState(deps, seen!, { sizeBytes, etag: `"${++etags}"` });
}

let etags = 0;

async function aFile(project: Project, sizeBytes: number, tenantId = "t"): Promise<string> {
  const { filePath } = await world.upload(project, { tenant_id: tenantId });
  await found(world.deps, project, filePath, sizeBytes);
  return filePath;
}

const remove = (deps: Deps, project: Project, path: string, purge: boolean) =>
  deleteFiles(deps, project, parse(deleteRequest, { file_path: path, purge }));

const days = (
  project: Project,
  query: { tenantId?: string; from?: string; to?: string } = { tenantId: "t" },
) => readDailyUsage(world.deps, project, query);

/** A change of a tenant's usage, as the history has seen it. */
interface Change {
  tenant: string;
  atMs: number;
  bytes: number;
  files: number;
  uploads: number;
}

const noDownloads = { downloadsSigned: 0, bytesSigned: 0, bytesDelivered: null };

/** Walks through all changes in the order of their times, and adds up bytes times time for each day. */
function integrate(changes: Change[], day: string, nowMs: number) {
  const startMs = Date.parse(day);
  const endMs = Math.min(startMs + DAY_MS, nowMs);
  let [used, files, uploads, time, byteMs] = [0, 0, 0, startMs, 0n];
  for (const { atMs, bytes, ...change } of changes.toSorted((a, b) => a.atMs - b.atMs)) {
    if (atMs >= startMs + DAY_MS) break;
    if (atMs > time) {
      byteMs += BigInt(used) * BigInt(atMs - time);
      time = atMs;
    }
    used += bytes;
    files += change.files;
    if (atMs >= startMs) uploads += change.uploads;
  }
  byteMs += BigInt(used) * BigInt(endMs - time);
  // A replica whose clock is behind may delete a file before another one has stored it.
  const byteSeconds = String(byteMs > 0n ? byteMs / 1000n : 0n);
  return { day, byteSeconds, fileCount: files, uploads, ...noDownloads };
}

/** The largest usage of the day, after each change in the order of the commits. */
function peakOf(changes: Change[], day: string): number {
  let used = changes
    .filter(({ atMs }) => toUtcDay(new Date(atMs)) < day)
    .reduce((sum, c) => sum + c.bytes, 0);
  let peak = used;
  for (const { atMs, bytes } of changes) {
    if (toUtcDay(new Date(atMs)) !== day) continue;
    used += bytes;
    peak = Math.max(peak, used);
  }
  return peak;
}

const nat = (max: number) => fc.nat({ max });
const step = fc.record({
  operation: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("store" as const),
        sizes: fc.array(nat(5_000_000), { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("overwrite" as const), file: nat(99), size: nat(5_000_000) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("replace" as const), file: nat(99), size: nat(5_000_000) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom("delete" as const, "purge" as const, "restore" as const, "lose" as const),
        file: nat(99),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("end" as const, "repair" as const) }) },
  ),
  /** How far the clock of the replica that does it is behind. */
  behindMs: fc.constantFrom(0, 0, 1, 999, 5000),
  /** Until the next step: often to a moment beside midnight. */
  advanceMs: fc.oneof(nat(2 * DAY_MS), nat(2000), fc.constant(0)),
  toMidnight: fc.constantFrom(null, null, -1, 0, 1, 4999),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

class History {
  readonly changes: Change[] = [];
  readonly #files: { path: string; tenant: string }[] = [];
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  async run({ operation, behindMs, advanceMs, toMidnight }: Step): Promise<void> {
    const at = addMs(world.deps.clock(), -behindMs);
    const before = await this.#read();
    const uploads = await this.#perform({ ...world.deps, clock: () => at }, operation);
    const after = await this.#read();
    for (const tenant of TENANTS)
      this.changes.push({
        tenant,
        atMs: at.getTime(),
        bytes: after.get(tenant)!.used - before.get(tenant)!.used,
        files: after.get(tenant)!.files - before.get(tenant)!.files,
        uploads: uploads.filter((one) => one === tenant).length,
      });
    world.advance(advanceMs);
    if (toMidnight !== null) advanceTo(toMidnight < 0 ? DAY_MS + toMidnight : toMidnight);
  }

  async #read() {
    const none = { used: 0, files: 0 };
    return new Map(
      await Promise.all(
        TENANTS.map(async (name) => [name, (await world.tenant(this.#project, name)) ?? none] as const),
      ),
    );
  }

  /** @returns the tenants of the files that were stored */
  async #perform(deps: Deps, operation: Step["operation"]): Promise<string[]> {
    if (operation.do === "store") return this.#store(deps, operation.sizes);
    if (!("file" in operation)) {
      await (operation.do === "end" ? endFiles(deps) : repairCounters(deps, this.#project.id, "t"));
      return [];
    }
    const file = this.#files[operation.file % Math.max(1, this.#files.length)];
    const row = file && (await readFileRow(deps, this.#project.id, file.path));
    if (!row) return [];
    const { path } = file;
    const isStored = row.status === "stored";
    const isCounted = isStored || row.status === "trashed";
    switch (operation.do) {
      case "overwrite":
        if (!isCounted) return [];
        await found(deps, this.#project, path, operation.size);
        return [file.tenant];
      case "replace": {
        if (!isStored) return [];
        const { filePath } = await world.upload(this.#project, { tenant_id: file.tenant, replaces: path });
        this.#files.push({ path: filePath, tenant: file.tenant });
        await found(deps, this.#project, filePath, operation.size);
        return [file.tenant];
      }
      case "delete":
      case "purge":
        if (operation.do === "purge" ? isCounted : isStored)
          await remove(deps, this.#project, path, operation.do === "purge");
        return [];
      case "restore":
        if (row.status === "trashed")
          await restoreFiles(deps, this.#project, { paths: [path], mustExist: true, tenantId: undefined });
        return [];
      case "lose":
        await expireMissing(deps, this.#project.id, path);
        return [];
    }
  }

  /** Several files are stored by one statement, for several tenants. */
  async #store(deps: Deps, sizes: number[]): Promise<string[]> {
    const uploads = await Promise.all(
      sizes.map(async (sizeBytes, index) => {
        const tenant = TENANTS[(sizeBytes + index) % TENANTS.length]!;
        const { filePath: path } = await world.upload(this.#project, { tenant_id: tenant });
        this.#files.push({ path, tenant });
        const seen = (await readFileRow(deps, this.#project.id, path))!;
        return { tenant, seen, object: { sizeBytes, etag: `"${sizeBytes}"` } };
      }),
    );
    expect(await markUploadsStored(deps, uploads)).toEqual(uploads.map(() => true));
    return uploads.map(({ tenant }) => tenant);
  }

  async check(from: string): Promise<void> {
    const now = world.deps.clock().getTime();
    const peaks = new Map<string, number>();
    for (const tenantId of TENANTS) {
      const own = this.changes.filter(({ tenant }) => tenant === tenantId);
      if (!(await world.tenant(this.#project, tenantId))) continue;
      const read = await days(this.#project, { tenantId, from });
      expect(read.at(-1)!.day).toBe(toUtcDay(world.deps.clock()));
      expect(read).toEqual(
        read.map(({ day }) => ({ ...integrate(own, day, now), peakBytes: peakOf(own, day) })),
      );
      for (const { day, peakBytes } of read) peaks.set(day, (peaks.get(day) ?? 0) + peakBytes);
    }
    const ofProject = await days(this.#project, { from });
    for (const { peakBytes, ...meters } of ofProject) {
      expect(meters).toEqual(integrate(this.changes, meters.day, now));
      expect(peakBytes).toBeGreaterThanOrEqual(peakOf(this.changes, meters.day));
      expect(peakBytes).toBeLessThanOrEqual(peaks.get(meters.day) ?? 0);
    }
    const months = await readMonthlyUsage(world.deps, this.#project, { from });
    const sum = (values: string[]) => String(values.reduce((total, one) => total + BigInt(one), 0n));
    expect(months.map(({ month, byteSeconds }) => [month, byteSeconds])).toEqual(
      months.map(({ month }) => [
        month,
        sum(ofProject.filter(({ day }) => day.startsWith(month)).map(({ byteSeconds }) => byteSeconds)),
      ]),
    );
    expect(sum(months.map(({ uploads }) => String(uploads)))).toBe(
      sum(ofProject.map(({ uploads }) => String(uploads))),
    );
  }
}

test("random histories have the byte-seconds, peaks, files and uploads of a naive integral", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 1, 2),
      fc.array(step, { minLength: 5, maxLength: 18 }),
      async (trashDays, steps) => {
        const project = await world.project({ trashDays });
        const history = new History(project);
        const from = toUtcDay(addMs(world.deps.clock(), -DAY_MS));
        for (const one of steps) await history.run(one);
        await expect(history.check(from)).resolves.toBeUndefined();
      },
    ),
    histories(40),
  );
});

test("a change counts from its millisecond, on both sides of midnight", async () => {
  const project = await world.project({ trashDays: 0 });
  const first = advanceTo(DAY_MS - 1);
  const path = await aFile(project, 1_000_000);
  world.advance(1);
  const second = world.deps.clock();
  await aFile(project, 1);
  world.advance(250);
  await remove(world.deps, project, path, true);
  world.advance(DAY_MS);
  const query = { tenantId: "t", from: toUtcDay(first), to: toUtcDay(second) };
  expect(await days(project, query)).toEqual([
    { day: query.from, byteSeconds: "1000", peakBytes: 1_000_000, fileCount: 1, uploads: 1, ...noDownloads },
    { day: query.to, byteSeconds: "336400", peakBytes: 1_000_001, fileCount: 1, uploads: 1, ...noDownloads },
  ]);
});

test("a tenant that is idle for a year has its usage on each day, and no rows for them", async () => {
  const project = await world.project();
  const first = advanceTo(0);
  await aFile(project, 7);
  world.advance(400 * DAY_MS);
  const today = world.deps.clock();
  const read = await days(project, { tenantId: "t", from: toUtcDay(addMs(today, -365 * DAY_MS)) });
  expect(read).toHaveLength(366);
  const idle = { byteSeconds: String(7 * 86_400), peakBytes: 7, fileCount: 1, uploads: 0, ...noDownloads };
  expect(read.slice(0, -1).every((day) => day.byteSeconds === idle.byteSeconds)).toBe(true);
  expect(read[5]).toEqual({ day: toUtcDay(addMs(today, -360 * DAY_MS)), ...idle });
  expect(read.at(-1)).toEqual({ ...idle, day: toUtcDay(today), byteSeconds: "0" });
  expect(await world.rows(`select day::text from usage_daily where project_id = $1`, [project.id])).toEqual([
    { day: toUtcDay(first) },
  ]);
});

test("petabytes are exact, beyond 2^53 and 2^63", async () => {
  const project = await world.project();
  const uploadedBytes = Number.MAX_SAFE_INTEGER;
  const first = advanceTo(0);
  await aFile(project, 0);
  const [{ id } = { id: 0 }] = await world.rows<{ id: number }>(
    `select id from tenants where project_id = $1`,
    [project.id],
  );
  const when = { projectId: project.id, at: world.deps.clock() };
  await world.deps.db.run((db) =>
    db.transaction((tx) =>
      updateUsageCounters(tx, when, [{ ...noUsageChange(id), uploads: 1, uploadedBytes }]),
    ),
  );
  world.advance(DAY_MS);
  const day = toUtcDay(first);
  const expected = [{ day, byteSeconds: String(BigInt(uploadedBytes) * 86_400n), peakBytes: uploadedBytes }];
  expect(await days(project, { tenantId: "t", from: day, to: day })).toMatchObject(expected);
  expect(await days(project, { from: day, to: day })).toMatchObject(expected);
});

test("the meters of a deleted tenant end with it, and those of the project stay", async () => {
  const project = await world.project({ trashDays: 7 });
  const first = advanceTo(0);
  await aFile(project, 10);
  world.advance(HOUR_MS);
  while ((await deleteTenant(world.deps, project, "t", commandLineActor)).remainingFiles > 0) continue;
  world.advance(DAY_MS);
  const day = toUtcDay(first);
  await expect(days(project, { tenantId: "t", from: day })).rejects.toMatchObject({
    code: "tenant_not_found",
  });
  expect(await days(project, { from: day, to: day })).toEqual([
    { day, byteSeconds: "36000", peakBytes: 10, fileCount: 0, uploads: 1, ...noDownloads },
  ]);
  expect(await world.rows(`select from usage_daily where project_id = $1`, [project.id])).toEqual([]);
});

test("a replica of the version before is metered by the clock of the database", async () => {
  const project = await world.project();
  await aFile(project, 0);
  const today = toUtcDay(new Date());
  const usage = { uploads: 1, uploaded_bytes: 1, deleted_files: 0, deleted_bytes: 0, reserved_bytes: 0 };
  await world.rows(`select add_usage($1::bigint, $2::date, $3::json)`, [
    project.id,
    today,
    JSON.stringify([{ tenant: await tenantOf(project, "t"), ...usage }]),
  ]);
  const [row] = await world.rows<{ ms: number }>(
    `select byte_ms::int as ms from usage_daily where project_id = $1::bigint and day = $2::date`,
    [project.id, today],
  );
  expect(row!.ms).toBeGreaterThanOrEqual(0);
  expect(row!.ms).toBeLessThanOrEqual(DAY_MS);
});

test("a repair of the counters is metered from the time of the repair", async () => {
  const project = await world.project();
  const first = advanceTo(0);
  await aFile(project, 5);
  await world.rows(`update usage_daily set uploaded_bytes = 3 where project_id = $1`, [project.id]);
  world.advance(DAY_MS - SECOND_MS);
  await repairCounters(world.deps, project.id, "t");
  world.advance(SECOND_MS);
  const day = toUtcDay(first);
  expect(await days(project, { tenantId: "t", from: day, to: day })).toMatchObject([
    { byteSeconds: String(5 * 86_400 + 2), fileCount: 1 },
  ]);
});

async function tenantOf(project: Project, tenantId: string): Promise<number> {
  const [row] = await world.rows<{ id: number }>(
    `select id from tenants where project_id = $1 and tenant_id = $2`,
    [project.id, tenantId],
  );
  return row!.id;
}

test("downloads of several projects, tenants and days are counted by few statements", async () => {
  const [one, other] = [await world.project(), await world.project()];
  await Promise.all([aFile(one, 1), aFile(one, 1, "u"), aFile(other, 1)]);
  const [t, u, foreign] = [await tenantOf(one, "t"), await tenantOf(one, "u"), await tenantOf(other, "t")];
  const statements: unknown[] = [];
  const meter = createDownloadMeter({
    ...world.deps,
    db: { execute: (text, values) => (statements.push(text), world.deps.db.execute(text, values)) },
  });
  await meter.flush();
  const first = toUtcDay(advanceTo(0));
  meter.count(one.id, u, 3);
  meter.count(one.id, t, 10);
  meter.count(one.id, t, Number.MAX_SAFE_INTEGER - 10);
  meter.count(other.id, foreign, 5);
  // A tenant that is deleted meanwhile.
  meter.count(other.id, 1_000_000_007, 5);
  const second = toUtcDay(advanceTo(0));
  meter.count(one.id, t, 1);
  await meter.flush();
  expect(statements).toHaveLength(3);
  await meter.flush();
  expect(statements).toHaveLength(3);
  const read = async (project: Project, tenantId?: string) =>
    (await days(project, { ...(tenantId !== undefined && { tenantId }), from: first, to: second })).map(
      ({ downloadsSigned, bytesSigned }) => [downloadsSigned, bytesSigned],
    );
  expect(await read(one, "t")).toEqual([
    [2, Number.MAX_SAFE_INTEGER],
    [1, 1],
  ]);
  expect(await read(one, "u")).toEqual([
    [1, 3],
    [0, 0],
  ]);
  expect(await read(one)).toEqual([
    [3, Number.MAX_SAFE_INTEGER + 3],
    [1, 1],
  ]);
  expect(await read(other)).toEqual([
    [1, 5],
    [0, 0],
  ]);
});

test("counts of downloads that cannot be written wait for the next flush, and other projects do not", async () => {
  const [locked, other] = [await world.project(), await world.project()];
  await Promise.all([aFile(locked, 1), aFile(other, 1)]);
  const meter = createDownloadMeter(world.deps);
  const day = toUtcDay(world.deps.clock());
  const read = async (project: Project) => (await days(project, { from: day }))[0]!.downloadsSigned;
  const tenants = [await tenantOf(locked, "t"), await tenantOf(other, "t")];
  meter.count(locked.id, tenants[0]!, 1);
  meter.count(other.id, tenants[1]!, 1);
  await world.deps.db.run((db) =>
    db.transaction(async (tx) => {
      await tx.execute(`select from tenants where project_id = ${locked.id} for update`);
      await expect(meter.flush()).rejects.toThrow();
    }),
  );
  expect([await read(locked), await read(other)]).toEqual([0, 1]);
  meter.count(locked.id, tenants[0]!, 1);
  await meter.flush();
  expect([await read(locked), await read(other)]).toEqual([2, 1]);
});

test("counts of downloads and changes of the usage do not deadlock", async () => {
  const project = await world.project();
  const names = Array.from({ length: 30 }, (_, index) => `tenant ${index}`);
  for (const name of names) await aFile(project, 1, name);
  const tenants = await Promise.all(names.map((name) => tenantOf(project, name)));
  const changes = tenants.map((tenant) => ({ ...noUsageChange(tenant), uploads: 1, uploadedBytes: 1 }));
  const when = { projectId: project.id, at: world.deps.clock() };
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const meter = createDownloadMeter(world.deps);
      for (const tenant of index % 4 < 2 ? tenants : tenants.toReversed()) meter.count(project.id, tenant, 1);
      const write = () =>
        world.deps.db.run((db) => db.transaction((tx) => updateUsageCounters(tx, when, changes)));
      // Others may hold the tenants for longer than the second for which it waits.
      const flush = () => vi.waitFor(() => meter.flush(), { timeout: 60_000, interval: 10 });
      await (index % 2 === 0 ? flush() : write());
    }),
  );
  const [today] = await days(project, { from: toUtcDay(when.at), to: toUtcDay(when.at) });
  expect([today!.uploads, today!.downloadsSigned]).toEqual([30 + 10 * 30, 10 * 30]);
});
