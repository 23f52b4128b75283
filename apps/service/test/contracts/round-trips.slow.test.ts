import { expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService } from "../fixtures/a-service.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";
import { aCountingProxy } from "../fixtures/counting-proxy.js";
import { lookIntoDatabase } from "../fixtures/look-into.js";

test("an upload request is one round trip to the database, for a new tenant and for an old one", async () => {
  const proxy = await aCountingProxy(inject("servers").DATABASE_URL);
  const service = await aService({ DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: "1" });
  const { apiKey } = await aProject();
  const upload = (tenant_id: string) =>
    anUpload(service.url, apiKey, { tenant_id, filename: "a.txt", size: 1 });
  await upload("first"); // connects, and prepares the statement
  const before = proxy.roundTrips();
  await upload("first");
  await upload("second");
  await upload("third");
  expect(proxy.roundTrips() - before).toBe(3);
  await service.close();
  proxy.close();
});

test("uploads that come together share their round trips: never more than one for each, and far fewer for many", async () => {
  const proxy = await aCountingProxy(inject("servers").DATABASE_URL);
  const service = await aService({ DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: "2" });
  const { apiKey } = await aProject();
  const upload = (n: number) =>
    anUpload(service.url, apiKey, { tenant_id: `t${n % 7}`, filename: "a.txt", size: 1 });
  const together = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => upload(n)));
  await together(8); // connects, and prepares the statement on both connections
  await together(8);
  const before = proxy.roundTrips();
  await together(100);
  expect(proxy.roundTrips() - before).toBeLessThanOrEqual(50);
  await service.close();
  proxy.close();
});

const SECRET = "the-secret-of-storage";

test("files that one notification tells of share their round trips: two to read them all, and far fewer than one each to record them", async () => {
  const proxy = await aCountingProxy(inject("servers").DATABASE_URL);
  const service = await aService({
    DATABASE_URL: proxy.url,
    DATABASE_POOL_SIZE: "3",
    STORAGE_EVENTS_SECRET: SECRET,
  });
  const { apiKey } = await aProject();
  const uploads = await Promise.all(
    Array.from({ length: 64 }, async (_, n) => {
      const upload = await anUpload(service.url, apiKey, { tenant_id: `t${n % 7}`, filename: "a.txt" });
      expect(await putBytes(upload, Buffer.from("a"))).toBe(200);
      return upload;
    }),
  );
  const tell = (told: typeof uploads) =>
    call(`${service.url}/internal/storage-events?secret=${SECRET}`, {
      body: {
        Records: told.map(({ file_path: key }) => ({
          s3: { bucket: { name: inject("servers").S3_BUCKET }, object: { key } },
        })),
      },
    });
  await tell(uploads.slice(0, 4)); // connects, and prepares the statement
  const before = proxy.roundTrips();
  expect(await tell(uploads.slice(4))).toMatchObject({ body: { looked_at: 60 } });
  expect(proxy.roundTrips() - before).toBeLessThanOrEqual(30);
  const stored = await lookIntoDatabase(
    `select f.path from files f where f.status = 'stored' and f.path = any(string_to_array($1, ' '))`,
    [uploads.map(({ file_path: path }) => path).join(" ")],
  );
  expect(stored).toHaveLength(64);
  await service.close();
  proxy.close();
});

test("a completion asks for its project and its file, records what came and reads the file; told again, it records nothing", async () => {
  const proxy = await aCountingProxy(inject("servers").DATABASE_URL);
  const service = await aService({ DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: "1" });
  const { apiKey } = await aProject();
  const aPut = async () => {
    const upload = await anUpload(service.url, apiKey, { tenant_id: "t", filename: "a.txt", size: 1 });
    expect(await putBytes(upload, Buffer.from("a"))).toBe(200);
    return upload.file_path;
  };
  const complete = async (path: string) => {
    const before = proxy.roundTrips();
    const answer = await call(`${service.url}/api/storage/complete/`, {
      key: apiKey,
      body: { file_path: path },
    });
    expect(answer).toMatchObject({ status: 200, body: { status: "stored" } });
    return proxy.roundTrips() - before;
  };
  await complete(await aPut()); // connects, and prepares the statement
  const path = await aPut();
  expect(await complete(path)).toBe(4);
  expect(await complete(path)).toBe(3);
  await service.close();
  proxy.close();
});
