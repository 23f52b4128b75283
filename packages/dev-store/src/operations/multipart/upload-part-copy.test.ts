import { createHash, randomBytes } from "node:crypto";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aKey, aStore, BUCKET, incomingCount, refusalOf, type TestStore } from "../../../test/a-store.js";

const FROM = "from/ü +&%41?.bin";
const SOURCE = `${BUCKET}/${encodeURIComponent(FROM)}`;
const md5 = (data: Uint8Array) => createHash("md5").update(data).digest("hex");

async function aStoreWith(content: Buffer): Promise<TestStore> {
  const store = await aStore();
  await store.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: FROM, Body: content }));
  return store;
}

async function anUpload({ client }: TestStore) {
  const Key = aKey();
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key }));
  const names = { Bucket: BUCKET, Key, UploadId };
  return {
    copy: async (PartNumber: number, more: object = {}) => {
      const command = new UploadPartCopyCommand({ ...names, PartNumber, CopySource: SOURCE, ...more });
      const { CopyPartResult } = await client.send(command);
      return { PartNumber, ETag: CopyPartResult?.ETag };
    },
    complete: async (Parts: { PartNumber: number; ETag: string | undefined }[]) => {
      await client.send(new CompleteMultipartUploadCommand({ ...names, MultipartUpload: { Parts } }));
      const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
      return Buffer.from(await Body!.transformToByteArray());
    },
  };
}

test("joins ranges of an object, across the blocks in which the store reads", async () => {
  const content = randomBytes(11 * 1024 ** 2 + 3);
  const store = await aStoreWith(content);
  const upload = await anUpload(store);
  const cut = 6 * 1024 ** 2 + 1;
  const parts = [
    await upload.copy(1, { CopySourceRange: `bytes=${content.length - cut}-${content.length - 1}` }),
    await upload.copy(2, { CopySourceRange: `bytes=0-${cut - 1}` }),
    await upload.copy(3, { CopySourceRange: "bytes=5-5" }),
  ];
  expect(parts[1]!.ETag).toBe(`"${md5(content.subarray(0, cut))}"`);
  const joined = await upload.complete(parts);
  const expected = Buffer.concat([content.subarray(-cut), content.subarray(0, cut), content.subarray(5, 6)]);
  expect(joined.equals(expected)).toBe(true);
});

test.each([0, 1, 1000])("copies a whole object of %i bytes without a range", async (sizeBytes) => {
  const content = randomBytes(sizeBytes);
  const upload = await anUpload(await aStoreWith(content));
  expect(await upload.complete([await upload.copy(1)])).toEqual(content);
});

test.each([
  "bytes=0-1000",
  "bytes=1000-1000",
  "bytes=5-4",
  "bytes=5-",
  "bytes=-5",
  "bytes=0-1,3-4",
  "0-5",
  "bytes=a-b",
])("refuses the range %s of 1,000 bytes", async (CopySourceRange) => {
  const store = await aStoreWith(randomBytes(1000));
  const upload = await anUpload(store);
  expect(await refusalOf(upload.copy(1, { CopySourceRange }))).toBe("InvalidArgument");
  expect(await incomingCount(store.dir)).toBe(0);
});

test("checks the conditions on the source", async () => {
  const content = randomBytes(10);
  const upload = await anUpload(await aStoreWith(content));
  const etag = `"${md5(content)}"`;
  const refused = (more: object) => refusalOf(upload.copy(1, more));
  expect(await refused({ CopySourceIfMatch: '"other"' })).toBe("PreconditionFailed");
  expect(await refused({ CopySourceIfNoneMatch: etag })).toBe("PreconditionFailed");
  expect(await refused({ CopySourceIfModifiedSince: new Date() })).toBe("PreconditionFailed");
  expect(await refused({ CopySourceIfUnmodifiedSince: new Date(0) })).toBe("PreconditionFailed");
  expect((await upload.copy(1, { CopySourceIfMatch: etag })).ETag).toBe(etag);
});

test("reports a missing source, a malformed source, a missing upload and a wrong part number", async () => {
  const upload = await anUpload(await aStoreWith(randomBytes(10)));
  const refused = (more: object) => refusalOf(upload.copy(1, more));
  expect(await refused({ CopySource: `${BUCKET}/none` })).toBe("NoSuchKey");
  expect(await refused({ CopySource: "none/none" })).toBe("NoSuchBucket");
  expect(await refused({ CopySource: "none" })).toBe("InvalidArgument");
  expect(await refused({ CopySource: `${SOURCE}?versionId=1` })).toBe("NotImplemented");
  expect(await refused({ UploadId: "0".repeat(32) })).toBe("NoSuchUpload");
  expect(await refused({ Key: "another" })).toBe("NoSuchUpload");
  expect(await refused({ PartNumber: 10_001 })).toBe("InvalidArgument");
});

test("copies parts of an object above 5 GiB, and refuses to copy all of it at once", async () => {
  const store = await aStoreWith(randomBytes(10));
  const sizeBytes = 5 * 1024 ** 3 + 100_000;
  await enlarge(store, sizeBytes);
  const head = await store.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: FROM }));
  expect(head.ContentLength).toBe(sizeBytes);
  const upload = await anUpload(store);
  expect(await refusalOf(upload.copy(1))).toBe("InvalidRequest");
  const whole = new CopyObjectCommand({ Bucket: BUCKET, Key: "to", CopySource: SOURCE });
  expect(await refusalOf(store.client.send(whole))).toBe("InvalidRequest");
  const last = await upload.copy(1, { CopySourceRange: `bytes=${sizeBytes - 90_000}-${sizeBytes - 1}` });
  expect(last.ETag).toBe(`"${md5(Buffer.alloc(90_000))}"`);
});

/** Makes the only object of a store a sparse file of this size. It keeps its record, which is at the end of the file. */
async function enlarge(store: TestStore, sizeBytes: number): Promise<void> {
  const objects = join(store.dir, "buckets", BUCKET, "objects");
  const [name] = (await readdir(objects, { recursive: true })).filter((path) => path.includes("/"));
  const file = await open(join(objects, name!), "r+");
  try {
    const record = (await file.readFile()).subarray(10);
    await file.truncate(sizeBytes);
    await file.write(record, 0, record.length, sizeBytes);
  } finally {
    await file.close();
  }
}
