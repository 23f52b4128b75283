import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aFolder, aStore, BUCKET, presign, refusalOf } from "../../test/a-store.js";
import { outcome, send } from "../../test/wire.js";

const KEYS = [
  "plain.txt",
  "a",
  "a/",
  "a/b",
  "a//b///c",
  "/",
  "/leading",
  ".",
  "..",
  "../../../outside",
  "a/../../b",
  "..name/.hidden/x.",
  "back\\slash",
  "C:\\x",
  "Übergröße-日本語-🙂-e\u0301",
  "\uE000 before 🙂 in UTF-16, after in UTF-8 no more",
  "two  spaces + plus",
  "100% %20 %2F %zz",
  `it's "quoted" <&>`,
  "a&b=c?d#e;f:g@h$i,j!k*l(m)n[o]p{q}r|s^t~u",
  "line\nbreak\ttab",
  "CON",
  "k".repeat(1024),
  "日".repeat(341),
];

test("stores, reads, lists in UTF-8 order and deletes every key inside its folder", async () => {
  const outside = await aFolder();
  const dir = join(outside, "store");
  const { client } = await aStore({ dir });
  const before = await readdir(outside);
  for (const Key of KEYS) {
    const url = await presign(client, new PutObjectCommand({ Bucket: BUCKET, Key }));
    expect(await outcome(send("PUT", url, { body: Key }))).toBe("200");
  }
  for (const Key of KEYS) {
    const url = await presign(client, new GetObjectCommand({ Bucket: BUCKET, Key }));
    expect((await send("GET", url)).text).toBe(Key);
    await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key }));
  }
  const inOrder = KEYS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const plain = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  expect(plain.Contents?.map(({ Key }) => Key)).toEqual(inOrder);
  const encoded = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, EncodingType: "url" }));
  expect(encoded.Contents?.map(({ Key }) => decodeURIComponent(Key!))).toEqual(inOrder);

  expect(await readdir(outside)).toEqual(before);
  const objects = join(dir, "buckets", BUCKET, "objects");
  for (const name of await readdir(objects, { recursive: true }))
    expect(name).toMatch(/^[0-9a-f]{2}(\/[0-9a-f]{64})?$/);

  for (const Key of KEYS) await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key }));
  expect((await client.send(new ListObjectsV2Command({ Bucket: BUCKET }))).KeyCount).toBe(0);
  for (const name of await readdir(objects, { recursive: true }))
    expect((await stat(join(objects, name))).isDirectory()).toBe(true);
});

test("refuses a key of 1,025 bytes", async () => {
  const { client } = await aStore();
  for (const Key of ["k".repeat(1025), `${"日".repeat(341)}xx`]) {
    const put = client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: "x" }));
    expect(await refusalOf(put)).toBe("KeyTooLongError");
  }
});

test.each(["%zz", "%", "%ff", "%c3%28", "%ed%a0%80"])(
  "refuses the path /%s, which is not UTF-8",
  async (path) => {
    const { endpoint } = await aStore();
    expect(await outcome(send("GET", `${endpoint}/${BUCKET}/${path}`))).toBe("400 InvalidURI");
  },
);

test("finds every key after a restart", async () => {
  const dir = await aFolder();
  const first = await aStore({ dir });
  for (const Key of KEYS) await first.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: Key }));
  const before = await first.client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  await first.stop();
  const second = await aStore({ dir });
  const after = await second.client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  expect(after.Contents).toEqual(before.Contents);
  expect(second.errors).toEqual([]);
});
