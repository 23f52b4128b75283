import { type File } from "@stowage/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDecoder } from "#images/decode/decoder.js";
import { HOUR_MS, MINUTE_MS } from "#lib/time.js";
import { updateProject } from "#projects/update-project.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOperator, anOwnedProject } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anImageProject, decoderOptions } from "../fixtures/an-image-project.js";
import { aWorld, put } from "../fixtures/a-world.js";
import { call } from "../fixtures/call.js";
import { aPicture } from "../fixtures/hostile-images.js";
import { startWorker } from "../fixtures/worker-jobs.js";

let database: Awaited<ReturnType<typeof aDatabase>>;
let right: RunningService;
let wrong: RunningService;
let offsetMs = 0;
let key: string;
beforeAll(async () => {
  database = await aDatabase();
  right = await aService({ DATABASE_URL: database.url });
  wrong = await aService(
    { DATABASE_URL: database.url, SWEEP_INTERVAL_MS: "50" },
    { clock: () => new Date(Date.now() + offsetMs), comparesClock: true },
  );
  ({ apiKey: key } = await anOwnedProject(await anOperator(right.url, { databaseUrl: database.url })));
});
afterAll(async () => {
  await wrong.close();
  await right.close();
  await database.drop();
});

const ready = () => call<{ status?: string; detail?: string }>(`${wrong.url}/readyz`);

test("a replica says that its clock is wrong as soon as it was set, and is ready again when it is right", async () => {
  offsetMs = 0;
  expect(await ready()).toMatchObject({ status: 200, body: { status: "ready" } });
  const offsets = [
    [2 * HOUR_MS, "120 minutes ahead of"],
    [-30 * MINUTE_MS, "30 minutes behind"],
    [6 * MINUTE_MS, "6 minutes ahead of"],
  ] as const;
  for (const [offset, words] of offsets) {
    offsetMs = offset;
    expect(await ready()).toMatchObject({
      status: 503,
      body: { detail: `Not ready: the clock of this machine is ${words} the database's` },
    });
    offsetMs = 0;
    expect((await ready()).status).toBe(200);
  }
  for (offsetMs of [4 * MINUTE_MS, -4 * MINUTE_MS]) expect((await ready()).status).toBe(200);
});

test("a replica whose clock is hours ahead ends no file before its time", async () => {
  offsetMs = 2 * HOUR_MS;
  const { file_path } = await aStoredFile(right.url, key, { bytes: "hello", expires_after: 3600 });
  wrong.startJobs();
  const failures = () =>
    wrong
      .log()
      .split("\n")
      .filter((line) => line.includes('"job":"file-ends"') && line.includes("120 minutes ahead"));
  await expect.poll(() => failures().length, { timeout: 120_000 }).toBeGreaterThan(2);
  const read = () =>
    call<File>(`${right.url}/api/storage/file/?file_path=${encodeURIComponent(file_path)}`, { key });
  expect((await read()).body.status).toBe("stored");

  // Its jobs run again, also beside a difference that is allowed.
  offsetMs = 0;
  const short = await aStoredFile(right.url, key, { bytes: "hello", expires_after: 60 });
  offsetMs = 4 * MINUTE_MS;
  const readShort = () =>
    call<File>(`${right.url}/api/storage/file/?file_path=${encodeURIComponent(short.file_path)}`, { key });
  await expect.poll(async () => (await readShort()).status, { timeout: 120_000 }).toBe(404);
  expect((await read()).body.status).toBe("stored");
});

test("a worker whose clock is hours ahead claims no scan and no variant until the clock is right", async () => {
  const world = await aWorld();
  const project = await anImageProject(world);
  await project.preset({ eager: true });
  const image = await aPicture(60, 40).png().toBuffer();
  await project.store(image);
  const scanned = await world.project();
  await updateProject(world.deps, scanned.ref, { scan: "clamav" });
  const upload = await world.upload(scanned, {});
  expect(await put(upload, "12345")).toBe(200);
  await world.complete(scanned, upload.filePath);

  // Each claim raises a number of its row.
  const claims = () =>
    world.rows("select claim from file_tasks union all select claim from file_variants order by claim");
  const before = await claims();
  expect(before).toHaveLength(2);

  let aheadMs = 2 * HOUR_MS;
  const clock = () => new Date(world.deps.clock().getTime() + aheadMs);
  const errors: string[] = [];
  const onError = (error: unknown) => void errors.push(String(error));
  const decoder = createDecoder({ ...decoderOptions, processes: 1 });
  const worker = startWorker(world, { decoder, clock, onError });
  try {
    // Each of its places has tried to work several times.
    await expect
      .poll(() => errors.filter((error) => error.includes("120 minutes ahead")).length, { timeout: 60_000 })
      .toBeGreaterThan(18);
    expect(await claims()).toEqual(before);

    aheadMs = 0;
    const states = () =>
      world.rows(`select v.status, f.scan_status as scan from file_variants v, files f where f.path = $1`, [
        upload.filePath,
      ]);
    await expect.poll(states, { timeout: 60_000 }).toEqual([{ status: "ready", scan: "clean" }]);
  } finally {
    await worker.stop();
    await decoder.close();
    await world.close();
  }
});
