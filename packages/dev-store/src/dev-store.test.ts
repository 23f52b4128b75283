import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aFolder, aStore, BUCKET, CREDENTIALS } from "../test/a-store.js";
import { startDevStore } from "./index.js";

test("returns its endpoint", async () => {
  const { endpoint, port } = await aStore();
  expect(endpoint).toBe(`http://127.0.0.1:${port}`);
});

test("throws if the port is taken, and leaves the folder untouched", async () => {
  const { port, dir } = await aStore();
  await writeFile(join(dir, "incoming", "half-written"), "another store's");
  const second = startDevStore({ dir, port, ...CREDENTIALS });
  await expect(second).rejects.toMatchObject({ code: "EADDRINUSE" });
  expect(await readdir(join(dir, "incoming"))).toEqual(["half-written"]);
});

test("refuses an invalid bucket name", async () => {
  const start = startDevStore({ dir: await aFolder(), buckets: ["../outside"], ...CREDENTIALS });
  await expect(start).rejects.toMatchObject({ code: "InvalidBucketName" });
});

test("removes incoming files at its start", async () => {
  const dir = await aFolder();
  await mkdir(join(dir, "incoming", "a-folder"), { recursive: true });
  await writeFile(join(dir, "incoming", "a-file"), "half");
  await aStore({ dir });
  expect(await readdir(join(dir, "incoming"))).toEqual([]);
});

test("reports a file that it did not write, and serves the others", async () => {
  const dir = await aFolder();
  const first = await aStore({ dir });
  await first.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "a", Body: "x" }));
  await first.stop();
  const objects = join(dir, "buckets", BUCKET, "objects");
  const [folder] = await readdir(objects);
  await writeFile(join(objects, folder!, "foreign"), "not sealed");
  const { client, errors } = await aStore({ dir });
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  expect(Contents?.map(({ Key }) => Key)).toEqual(["a"]);
  expect(String(errors[0])).toContain("not a file of this store");
});
