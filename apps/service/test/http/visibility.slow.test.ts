import { file as fileSchema, type File } from "@stowage/schemas";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { aDatabase } from "../fixtures/a-database.js";
import { aProject } from "../fixtures/a-project.js";
import { anOperator, anOwnedProject } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";

let service: RunningService;
beforeAll(async () => {
  service = await aService({
    S3_PUBLIC_BUCKET: inject("publicBucket")!,
    PUBLIC_BASE_URL: `${inject("servers").S3_ENDPOINT}/${inject("publicBucket")}/`,
  });
});
afterAll(() => service.close());

const post = <Body = { detail: string }>(key: string, path: string, body: object, url = service.url) =>
  call<Body>(`${url}/api/storage/${path}/`, { key, body });

test("a file is made public and private, and every call answers it in the same way", async () => {
  const { apiKey: key } = await aProject();
  const { file_path } = await aStoredFile(service.url, key, { bytes: "hello", filename: "größe 1.txt" });
  const made = await post<File>(key, "visibility", { file_path, visibility: "public" });
  expect(made.status).toBe(200);
  expect(fileSchema.strict().parse(made.body)).toEqual(made.body);
  expect(await (await fetch(made.body.public_url!)).text()).toBe("hello");
  const read = await call<File>(
    `${service.url}/api/storage/file/?file_path=${encodeURIComponent(file_path)}`,
    { key },
  );
  expect(read.body).toEqual(made.body);
  const list = await call<{ files: File[] }>(`${service.url}/api/storage/files/`, { key });
  expect(list.body.files).toEqual([made.body]);
  expect((await post<File>(key, "complete", { file_path })).body).toEqual(made.body);
  expect((await post<File>(key, "hold", { file_path, hold: false })).body).toEqual(made.body);

  const back = await post<File>(key, "visibility", { file_path, visibility: "private" });
  expect(back.body).not.toHaveProperty("visibility");
  expect((await fetch(made.body.public_url!)).status).toBe(403);
});

test("an upload and an upload by parts may be public, with the jobs of the service", async () => {
  const database = await aDatabase();
  const working = await aService({
    DATABASE_URL: database.url,
    S3_PUBLIC_BUCKET: inject("publicBucket")!,
    SWEEP_INTERVAL_MS: "50",
  });
  const { apiKey: key } = await anOwnedProject(await anOperator(working.url, { databaseUrl: database.url }));
  working.startJobs();
  const upload = await anUpload(working.url, key, {
    tenant_id: "t",
    filename: "a.png",
    visibility: "public",
  });
  expect(await putBytes(upload, Buffer.from("hello"))).toBe(200);
  const read = async () =>
    (await call<File>(`${working.url}/api/storage/file/?file_path=${upload.file_path}`, { key })).body;
  await expect.poll(async () => (await read()).public_url).toBeTypeOf("string");
  expect(await (await fetch((await read()).public_url!)).text()).toBe("hello");
  expect(working.log()).not.toContain(upload.file_path.split("/").at(-1));
  await working.close();
  await database.drop();
});
