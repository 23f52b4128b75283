import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { commandLineActor } from "#audit/caller.js";
import type { Parameter } from "#db/client.js";
import { randomRef } from "#lib/random.js";
import { addMs, DAY_MS, HOUR_MS, toUtcDay } from "#lib/time.js";
import { deleteTenant } from "#purge/delete-tenant.js";
import { readDailyUsage, readMonthlyUsage } from "#tenants/read-meters.js";
import { noUsageChange, updateUsageCounters } from "#tenants/usage-counters.js";
import { deleteOldDeliveries } from "#usage/delete-old-deliveries.js";
import { importLog, WrongLogFormatError } from "#usage/import-log.js";
import { aWorld, type World } from "../fixtures/a-world.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
  world.stopClock();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

const upload = async (project: Project, tenantId = "t") =>
  (await world.upload(project, { tenant_id: tenantId })).filePath;

let requests = 0;

/** A line of nginx. Each is another request. */
function aLine(path: string, bytes: number, at = world.deps.clock()): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(at.toUTCString())!;
  return `192.0.2.3 - - [${day}/${month}/${year}:${time} +0000] "GET /bucket/${path} HTTP/1.1" 200 ${bytes} "-" "request ${++requests}"`;
}

async function* toStream(lines: (string | null)[]) {
  yield* lines;
}

type Deps = Parameters<typeof importLog>[0];

/** @param onStatement is called before each statement with its values */
function watching(onStatement: (values: Parameter[]) => void): Deps {
  const { db } = world.deps;
  return {
    ...world.deps,
    db: {
      run: db.run,
      execute: async <Row>(text: string, values: Parameter[]) => {
        onStatement(values);
        return db.execute<Row>(text, values);
      },
    },
  };
}

const importLines = (lines: (string | null)[], deps: Deps = world.deps, server = "") =>
  importLog(deps, { format: "nginx", server }, toStream(lines));

/** The bytes of each day from this one on; of the project without a tenant. */
async function delivered(project: Project, tenantId?: string, from = toUtcDay(world.deps.clock())) {
  const query = { from, ...(tenantId !== undefined && { tenantId }) };
  return (await readDailyUsage(world.deps, project, query)).map(({ bytesDelivered }) => bytesDelivered);
}

test("bytes count for the tenants and days of a log, and are unknown on days without a log", async () => {
  const [project, other] = [await world.project(), await world.project()];
  const [file, ofU] = [await upload(project), await upload(project, "u")];
  await upload(project, "idle");
  const foreign = await upload(other);
  const first = world.deps.clock();
  world.advance(2 * DAY_MS);
  const from = toUtcDay(first);
  expect(await delivered(project, "t", from)).toEqual([null, null, null]);
  const lines = [
    aLine(file, 10, first),
    aLine(ofU, 5),
    aLine(foreign, 7),
    "a line",
    null,
    aLine(file, 100),
    aLine(file, 1000),
    aLine("index.html", 3),
    aLine(file.replace("projects/", "project/"), 3),
    aLine(`projects/${project.ref}/tenants/${randomRef(randomBytes)}/a`, 3),
    aLine(`projects/${randomRef(randomBytes)}/tenants/${file.split("/")[3]!}/a`, 3),
    aLine(file, 1, addMs(world.deps.clock(), 3 * DAY_MS)),
    aLine(file, 1, addMs(world.deps.clock(), -91 * DAY_MS)),
  ];
  expect(await importLines(lines)).toEqual({
    lines: 13,
    unreadLines: 3,
    oldDownloads: 1,
    downloads: 5,
    bytes: 1122,
    newBytes: 1122,
  });
  expect(await delivered(project, "t", from)).toEqual([10, null, 1100]);
  expect(await delivered(project, "u", from)).toEqual([0, null, 5]);
  expect(await delivered(project, "idle", from)).toEqual([0, null, 0]);
  expect(await delivered(project, undefined, from)).toEqual([10, null, 1105]);
  expect(await delivered(other, undefined, from)).toEqual([null, null, 7]);
  const months = await readMonthlyUsage(world.deps, project, { tenantId: "t", from });
  expect(months.reduce((sum, { bytesDelivered }) => sum + (bytesDelivered ?? 0), 0)).toBe(1110);
  const before = toUtcDay(addMs(first, -DAY_MS));
  expect(await readMonthlyUsage(world.deps, project, { from: before, to: before })).toMatchObject([
    { bytesDelivered: null },
  ]);
});

test("a log that is imported again, has grown, was cut or has another name counts nothing twice", async () => {
  const project = await world.project();
  const [file, ofU] = [await upload(project), await upload(project, "u")];
  const lines = [aLine(file, 10), aLine(ofU, 5), aLine(file, 100)];
  expect(await importLines(lines.slice(0, 2))).toMatchObject({ bytes: 15, newBytes: 15 });
  expect(await importLines(lines)).toMatchObject({ bytes: 115, newBytes: 100 });
  expect(await importLines(lines)).toMatchObject({ bytes: 115, newBytes: 0 });
  expect(await importLines(lines.slice(0, 1))).toMatchObject({ bytes: 10, newBytes: 0 });
  // A line that is no download does not make it another log.
  expect(await importLines(["a line", aLine("index.html", 1), ...lines])).toMatchObject({ newBytes: 0 });
  expect(await delivered(project)).toEqual([115]);
  // Another log, and one of another server.
  expect(await importLines([aLine(file, 10)])).toMatchObject({ newBytes: 10 });
  expect(await importLines(lines, world.deps, "web-2")).toMatchObject({ newBytes: 115 });
  expect([await delivered(project), await delivered(project, "t"), await delivered(project, "u")]).toEqual([
    [240],
    [230],
    [10],
  ]);
});

test("an import that dies after any statement is completed by the next one", async () => {
  const projects = [await world.project(), await world.project()];
  const files: string[] = [];
  for (const project of projects)
    for (let n = 0; n < 3; n++) files.push(await upload(project, `tenant ${n}`));
  const days = Array.from({ length: 80 }, (_, n) => addMs(world.deps.clock(), -n * DAY_MS));
  // More changes of a project than a statement takes.
  const lines = files.flatMap((file) => days.map((day) => aLine(file, 1, day)));
  const dying = (statements: number): Deps => {
    let left = statements;
    return watching(() => {
      if (left-- === 0) throw new Error("killed");
    });
  };
  let deaths = 0;
  for (; ; deaths++) {
    const imported = await importLines(lines, dying(deaths)).catch((error: Error) => error.message);
    if (imported !== "killed") break;
  }
  // A statement for the projects, two for the tenants of each, and two that write for each.
  expect(deaths).toBe(1 + 2 * 2 + 2 * 2);
  expect(await importLines(lines)).toMatchObject({ downloads: 480, bytes: 480, newBytes: 0 });
  const from = toUtcDay(days.at(-1)!);
  for (const project of projects) {
    expect(await delivered(project, undefined, from)).toEqual(days.map(() => 3));
    expect(await delivered(project, "tenant 1", from)).toEqual(days.map(() => 1));
  }
});

test("nothing counts of a log that cannot be read to its end, or is of another format", async () => {
  const project = await world.project();
  const line = aLine(await upload(project), 10);
  async function* broken() {
    yield line;
    throw new Error("damaged");
  }
  await expect(importLog(world.deps, { format: "nginx", server: "" }, broken())).rejects.toThrow("damaged");
  for (const format of ["s3", "ceph", "cloudfront"] as const)
    await expect(importLog(world.deps, { format, server: "" }, toStream([line, "", null]))).rejects.toThrow(
      new WrongLogFormatError(`has no line of the format ${format}`),
    );
  expect(await importLines([])).toMatchObject({ lines: 0, newBytes: 0 });
  expect(await delivered(project)).toEqual([null]);
});

test("bytes of a variant count for the tenant of its file, until the file is gone", async () => {
  const project = await world.project();
  const file = await upload(project, "u");
  const [variant, lost] = [1, 2].map(() => `projects/${project.ref}/variants/${randomRef(randomBytes)}`);
  for (const [path, id] of [
    [variant!, "f.id"],
    [lost!, "f.id + 1000000"],
  ] as const)
    await world.rows(
      `insert into file_variants (project_id, file_id, preset_hash, source_etag, path, parameters, status, size, created_at)
       select f.project_id, ${id}, 'h', 'e', $3, '{}', 'ready', 7, now() from files f where f.project_id = $1 and f.path = $2`,
      [project.id, file, path],
    );
  const lines = [variant!, lost!, `${variant!}x`, `${variant!}/x`].map((path) => aLine(path, 7));
  expect(await importLines(lines)).toMatchObject({ downloads: 1, bytes: 7, newBytes: 7 });
  expect(await delivered(project, "u")).toEqual([7]);
});

test("what a log says of a deleted tenant is deleted with it, and does not count again", async () => {
  const project = await world.project();
  const [file, ofU] = [await upload(project), await upload(project, "u")];
  const lines = [aLine(file, 10), aLine(ofU, 5)];
  await importLines(lines);
  while ((await deleteTenant(world.deps, project, "t", commandLineActor)).remainingFiles > 0) continue;
  const left = await world.rows(`select bytes from log_deliveries where project_id = $1`, [project.id]);
  expect(left).toEqual([{ bytes: 5 }]);
  expect(await importLines([...lines, aLine(file, 100)])).toMatchObject({ downloads: 1, newBytes: 0 });
  expect(await delivered(project)).toEqual([15]);
});

test("days beyond those that an import counts are forgotten, and the meters stay", async () => {
  const project = await world.project();
  const file = await upload(project);
  const first = world.deps.clock();
  world.advance(90 * DAY_MS);
  const lines = [aLine(file, 10, first), aLine(file, 1)];
  await importLines(lines);
  const rows = () =>
    world.rows(`select bytes from log_deliveries where project_id = $1 order by day`, [project.id]);
  while (await deleteOldDeliveries(world.deps)) continue;
  expect(await rows()).toEqual([{ bytes: 10 }, { bytes: 1 }]);
  world.advance(3 * DAY_MS);
  while (await deleteOldDeliveries(world.deps)) continue;
  expect(await rows()).toEqual([{ bytes: 1 }]);
  expect(await importLines(lines)).toMatchObject({ oldDownloads: 1, newBytes: 0 });
  expect((await delivered(project, "t", toUtcDay(first)))[0]).toBe(10);
});

test("addresses of tenants that do not exist take no memory, and files of more than a batch are found", async () => {
  const project = await world.project();
  const file = await upload(project);
  function* made() {
    for (let n = 0; n < 20_000; n++) {
      const ref = String(n).padStart(22, "0");
      yield aLine(`projects/${n % 2 ? ref : project.ref}/tenants/${ref}/a`, 1);
      if (n % 100 === 0) yield aLine(file, 1);
    }
  }
  const largest: number[] = [];
  const deps = watching((values) => {
    largest.push(...values.map((value) => String(value).length));
  });
  expect(await importLines([...made()], deps)).toMatchObject({ downloads: 200, newBytes: 200 });
  expect(Math.max(...largest)).toBeLessThan(100_000);
});

test("imports, uploads and imports of the same log at the same time neither deadlock nor count twice", async () => {
  const project = await world.project();
  const files: string[] = [];
  for (let n = 0; n < 20; n++) files.push(await upload(project, `tenant ${n}`));
  const hours = [0, 1, 25, 49].map((n) => addMs(world.deps.clock(), -n * HOUR_MS));
  const lines = files.flatMap((file) => hours.map((hour) => aLine(file, 1, hour)));
  const turned = [lines[0]!, ...lines.slice(1).toReversed()];
  const tenants = await world.rows<{ id: number }>(`select id from tenants where project_id = $1`, [
    project.id,
  ]);
  const changes = tenants.map(({ id }) => ({ ...noUsageChange(id), uploads: 1, uploadedBytes: 1 }));
  const when = { projectId: project.id, at: world.deps.clock() };
  const write = () =>
    world.deps.db.run((db) => db.transaction((tx) => updateUsageCounters(tx, when, changes)));
  const imported = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      if (n % 3 === 2) return write().then(() => 0);
      // Others may hold the tenants for longer than the statement waits, which then changes nothing.
      const read = () => importLines(n % 3 === 0 ? lines : turned);
      return (await vi.waitFor(read, { timeout: 60_000, interval: 10 })).newBytes;
    }),
  );
  expect(imported.reduce((sum, bytes) => sum + bytes, 0)).toBe(80);
  const from = toUtcDay(addMs(world.deps.clock(), -3 * DAY_MS));
  const read = await delivered(project, undefined, from);
  expect(read.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)).toBe(80);
});
