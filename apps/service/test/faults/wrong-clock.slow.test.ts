import { type File } from "@stowage/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#lib/time.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOperator, anOwnedProject } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { call } from "../fixtures/call.js";

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
