import { readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aFolder, aKey, aStore, BUCKET, incomingCount, presign, refusalOf } from "../../test/a-store.js";
import { openRawConnection, putHead } from "../../test/wire.js";

const deleteBucket = new DeleteBucketCommand({ Bucket: BUCKET });

test("deletes an empty bucket with its unfinished uploads, also for the time after a restart", async () => {
  const dir = await aFolder();
  const { client, stop } = await aStore({ dir });
  const Key = aKey();
  await client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key }));
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: "x" }));
  expect(await refusalOf(client.send(deleteBucket))).toBe("BucketNotEmpty");
  await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key }));
  await client.send(deleteBucket);
  expect(await refusalOf(client.send(deleteBucket))).toBe("NoSuchBucket");
  expect(await refusalOf(client.send(new ListObjectsV2Command({ Bucket: BUCKET })))).toBe("NoSuchBucket");
  expect(await readdir(join(dir, "buckets"))).toEqual([]);
  expect(await incomingCount(dir)).toBe(0);
  await stop();
  const restarted = await aStore({ dir, buckets: [] });
  expect(await refusalOf(restarted.client.send(new HeadBucketCommand({ Bucket: BUCKET })))).toBe("NotFound");
});

test("refuses an upload that ends after its bucket was deleted, also if a new one has the name", async () => {
  const store = await aStore();
  const Key = aKey();
  const url = await presign(store.client, new PutObjectCommand({ Bucket: BUCKET, Key }));
  const raw = await openRawConnection(url);
  raw.socket.write(putHead(url, { "Content-Length": "10" }) + "01234");
  await expect.poll(() => incomingCount(store.dir)).toBe(1);
  await store.client.send(deleteBucket);
  await store.client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  raw.socket.write("56789");
  expect(await raw.until(/<\/Error>/)).toMatch(/^HTTP\/1\.1 404 [^]*<Code>NoSuchBucket</);
  expect(await refusalOf(store.client.send(new GetObjectCommand({ Bucket: BUCKET, Key })))).toBe("NoSuchKey");
  expect(await incomingCount(store.dir)).toBe(0);
});

test("loses no acknowledged object to a deletion at the same time", async () => {
  const { client, errors } = await aStore();
  for (let round = 0; round < 30; round++) {
    const Key = aKey();
    const [put] = await Promise.allSettled([
      client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: "x" })),
      client.send(deleteBucket),
    ]);
    if (put.status === "fulfilled") {
      const got = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
      expect(await got.Body!.transformToString()).toBe("x");
      await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key }));
    } else expect(put.reason).toMatchObject({ name: "NoSuchBucket" });
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  }
  expect(errors).toEqual([]);
});
