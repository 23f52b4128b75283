import type { DownloadsResponse } from "@stowage/schemas";
import { expect, inject, test } from "vitest";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { aProject } from "../fixtures/a-project.js";
import { aService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anOpenUpload, anUpload, call, putBytes } from "../fixtures/call.js";
import { aCountingProxy } from "../fixtures/a-counting-proxy.js";
import { queryDatabase } from "../fixtures/direct-access.js";
import { signedParts } from "../fixtures/send-parts.js";

/** Starts a service whose round trips to the database are counted, and creates a project for it. */
async function aCountedService(settings: Record<string, string>) {
  const proxy = await aCountingProxy(inject("servers").DATABASE_URL);
  const service = await aService({ DATABASE_URL: proxy.url, ...settings });
  const { apiKey } = await aProject();
  return {
    service,
    apiKey,
    roundTrips: proxy.roundTrips,
    async close() {
      await service.close();
      proxy.close();
    },
  };
}

test("an upload request takes one round trip to the database, for new and known tenants", async () => {
  const { service, apiKey, roundTrips, close } = await aCountedService({ DATABASE_POOL_SIZE: "1" });
  const upload = (tenant_id: string) =>
    anUpload(service.url, apiKey, { tenant_id, filename: "a.txt", size: 1 });
  await upload("first"); // connects and prepares the statement
  const before = roundTrips();
  await upload("first");
  await upload("second");
  await upload("third");
  expect(roundTrips() - before).toBe(3);
  await close();
});

test("opening an upload by parts takes one round trip to the database, with and without an Idempotency-Key", async () => {
  const { service, apiKey, roundTrips, close } = await aCountedService({ DATABASE_POOL_SIZE: "1" });
  const open = (filename: string, headers = {}) =>
    anOpenUpload(service.url, apiKey, { tenant_id: "t", filename, size: 100_000_000 }, headers);
  await open("a"); // connects and prepares the statement
  const before = roundTrips();
  await open("b");
  await open("c", { "Idempotency-Key": "one" });
  await open("c", { "Idempotency-Key": "one" });
  expect(roundTrips() - before).toBe(3);
  await close();
});

test("URLs of up to 100 parts take three round trips to the database: the key, the file and when the URLs expire", async () => {
  const { service, apiKey, roundTrips, close } = await aCountedService({ DATABASE_POOL_SIZE: "1" });
  const { file_path } = await anOpenUpload(service.url, apiKey, {
    tenant_id: "t",
    filename: "a",
    size: 1_000_000_000,
  });
  const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
  await signedParts(service.url, apiKey, file_path, [1]); // connects, and prepares the statements
  const before = roundTrips();
  await signedParts(service.url, apiKey, file_path, numbers);
  expect(roundTrips() - before).toBe(3);
  await close();
});

test("download URLs of 100 files take two round trips to the database: the key and the files", async () => {
  const { service, apiKey, roundTrips, close } = await aCountedService({ DATABASE_POOL_SIZE: "1" });
  const stored: { file_path: string }[] = [];
  await forEachBounded(Array(100).keys(), 8, async (index) => {
    stored.push(await aStoredFile(service.url, apiKey, { tenant_id: `t${index % 3}` }));
  });
  const downloads = (files: { file_path: string }[]) =>
    call<DownloadsResponse>(`${service.url}/api/storage/downloads/`, {
      key: apiKey,
      body: { file_paths: files.map(({ file_path }) => file_path) },
    });
  await downloads(stored.slice(0, 1)); // prepares the statement
  const before = roundTrips();
  expect((await downloads(stored)).body.downloads).toHaveLength(100);
  expect(roundTrips() - before).toBe(2);
  await close();
});

test("simultaneous uploads share their round trips to the database", async () => {
  const { service, apiKey, roundTrips, close } = await aCountedService({ DATABASE_POOL_SIZE: "2" });
  const upload = (n: number) =>
    anUpload(service.url, apiKey, { tenant_id: `t${n % 7}`, filename: "a.txt", size: 1 });
  const together = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => upload(n)));
  await together(8); // connects and prepares the statement on both connections
  await together(8);
  const before = roundTrips();
  await together(100);
  expect(roundTrips() - before).toBeLessThanOrEqual(50);
  await close();
});

const SECRET = "the-secret-of-storage";

test("the files of one notification share their round trips to the database", async () => {
  const { service, apiKey, roundTrips, close } = await aCountedService({
    DATABASE_POOL_SIZE: "3",
    STORAGE_EVENTS_SECRET: SECRET,
  });
  const uploads = await Promise.all(
    Array.from({ length: 64 }, async (_, n) => {
      const upload = await anUpload(service.url, apiKey, { tenant_id: `t${n % 7}`, filename: "a.txt" });
      expect(await putBytes(upload, Buffer.from("a"))).toBe(200);
      return upload;
    }),
  );
  const notify = (files: typeof uploads) =>
    call(`${service.url}/internal/storage-events?secret=${SECRET}`, {
      body: {
        Records: files.map(({ file_path: key }) => ({
          s3: { bucket: { name: inject("servers").S3_BUCKET }, object: { key } },
        })),
      },
    });
  await notify(uploads.slice(0, 4)); // connects and prepares the statement
  const before = roundTrips();
  expect(await notify(uploads.slice(4))).toMatchObject({ body: { looked_at: 60 } });
  expect(roundTrips() - before).toBeLessThanOrEqual(30);
  const stored = await queryDatabase(
    `select f.path from files f where f.status = 'stored' and f.path = any(string_to_array($1, ' '))`,
    [uploads.map(({ file_path: path }) => path).join(" ")],
  );
  expect(stored).toHaveLength(64);
  await close();
});

test("a completion takes four round trips to the database, and a repeated one takes three", async () => {
  const { service, apiKey, roundTrips, close } = await aCountedService({ DATABASE_POOL_SIZE: "1" });
  const aPut = async () => {
    const upload = await anUpload(service.url, apiKey, { tenant_id: "t", filename: "a.txt", size: 1 });
    expect(await putBytes(upload, Buffer.from("a"))).toBe(200);
    return upload.file_path;
  };
  const complete = async (path: string) => {
    const before = roundTrips();
    const answer = await call(`${service.url}/api/storage/complete/`, {
      key: apiKey,
      body: { file_path: path },
    });
    expect(answer).toMatchObject({ status: 200, body: { status: "stored" } });
    return roundTrips() - before;
  };
  await complete(await aPut()); // connects and prepares the statement
  const path = await aPut();
  expect(await complete(path)).toBe(4);
  expect(await complete(path)).toBe(3);
  await close();
});
