import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { type BucketDemands, startDevStore } from "@stowage/dev-store";
import { expect, test } from "vitest";
import type { S3Options } from "#object-store/s3.js";
import { createTransfer } from "#object-store/transfer.js";
import { aStorageProxy, type Refusal } from "../fixtures/a-storage-proxy.js";

const keys = { accessKeyId: "static", secretAccessKey: "secret-of-the-static-key" };
/** Other keys, which the store accepts too. */
const session = { accessKeyId: "session", secretAccessKey: "secret-of-the-session", sessionToken: "token" };
const PART_BYTES = 5 * 1024 ** 2;
/** More than the XML of some requests, and less than a part. */
const FEW_BYTES = 100_000;

interface BucketsOptions {
  /** How a proxy answers a copy inside of storage, instead of it. @default storage answers */
  insideCopies?: Refusal;
  demands?: BucketDemands;
  /** The proxy closes the connection of a PUT of so many bytes that has no MD5. @default storage answers */
  losesAnswersAbove?: number;
  targetKeys?: S3Options["credentials"];
}

/** Two buckets of one server, behind a proxy. */
async function twoBuckets({
  insideCopies,
  demands = {},
  losesAnswersAbove = Infinity,
  targetKeys = session,
}: BucketsOptions = {}) {
  const dir = await mkdtemp(join(tmpdir(), "stowage-transfer-"));
  const store = await startDevStore({
    dir,
    ...keys,
    findSession: (id) =>
      id === session.accessKeyId ? { ...session, expiration: new Date(8e15) } : undefined,
    buckets: ["old", "new"],
    demands: { new: demands },
  });
  const proxy = await aStorageProxy(store.endpoint, (method, { headers, socket }) => {
    if (headers["x-amz-copy-source"] !== undefined) return insideCopies ?? true;
    const isLost = Number(headers["content-length"]) >= losesAnswersAbove && !headers["content-md5"];
    if (method === "PUT" && isLost) socket.destroy();
    return true;
  });
  const client = new S3Client({
    endpoint: store.endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: keys,
  });
  const common = { endpoint: proxy.url, region: "us-east-1", timeoutMs: 60_000 };
  const refusals: string[] = [];
  const transfer = createTransfer(
    { ...common, bucket: "old", credentials: keys },
    { ...common, endpoint: `${proxy.url}/`, bucket: "new", credentials: targetKeys },
    (reason) => refusals.push(reason),
  );
  return {
    client,
    transfer,
    refusals,
    proxy,
    head: (Bucket: string, Key: string) => client.send(new HeadObjectCommand({ Bucket, Key })),
    async md5(Key: string) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: "new", Key }));
      return md5(await Body!.transformToByteArray());
    },
    async [Symbol.asyncDispose]() {
      transfer.close();
      client.destroy();
      proxy.close();
      await store.stop();
      await rm(dir, { recursive: true });
    },
  };
}

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
const kept = {
  ContentType: "image/png",
  CacheControl: "max-age=5",
  ContentDisposition: 'attachment; filename="a"',
  Metadata: { color: "blue" },
};

/** Writes an object by a single PUT. @returns it as a listing shows it */
async function put(client: S3Client, Key: string, Body: Uint8Array) {
  const { ETag } = await client.send(new PutObjectCommand({ Bucket: "old", Key, Body, ...kept }));
  return { etag: ETag!.replaceAll('"', ""), sizeBytes: Body.length };
}

/** Writes an object by parts. */
async function putParts(client: S3Client, Key: string, bytes: Uint8Array, partBytes = PART_BYTES) {
  const place = { Bucket: "old", Key };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...place, ...kept }));
  const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
  for (let at = 0; at < bytes.length; at += partBytes) {
    const part = {
      ...place,
      UploadId,
      PartNumber: Parts.length + 1,
      Body: bytes.subarray(at, at + partBytes),
    };
    const { ETag } = await client.send(new UploadPartCommand(part));
    Parts.push({ ETag, PartNumber: part.PartNumber });
  }
  const done = { ...place, UploadId, MultipartUpload: { Parts } };
  const { ETag } = await client.send(new CompleteMultipartUploadCommand(done));
  return { etag: ETag!.replaceAll('"', ""), sizeBytes: bytes.length };
}

test("one server with both buckets copies them itself: no byte of an object passes the command", async () => {
  await using buckets = await twoBuckets();
  const { client, transfer, refusals, proxy } = buckets;
  const [whole, parts] = [randomBytes(300_000), randomBytes(2 * PART_BYTES + 1)];
  const objects = [
    ["ä b+c%.bin", await put(client, "ä b+c%.bin", whole), null, md5(whole)],
    ["parts.bin", await putParts(client, "parts.bin", parts), PART_BYTES, md5(parts)],
    ["guess.bin", await putParts(client, "guess.bin", parts), null, md5(parts)],
    ["empty", await put(client, "empty", new Uint8Array()), null, md5(new Uint8Array())],
  ] as const;
  for (const [path, object, partSize] of objects)
    expect(await transfer.copy(path, object, partSize)).toBe("copied");
  expect(proxy.bodyBytes()).toBeLessThan(FEW_BYTES);
  expect(refusals).toEqual([]);
  for (const [path, object, , hash] of objects) {
    expect(await buckets.head("new", path)).toMatchObject({ ETag: `"${object.etag}"`, ...kept });
    expect(await buckets.md5(path)).toBe(hash);
  }
}, 120_000);

test.each([
  { status: 403, code: "AccessDenied" },
  { status: 501, code: "NotImplemented" },
  { status: 400, code: "InvalidRequest" },
  { status: 404, code: "NoSuchBucket" },
])(
  "bytes are sent where storage refuses to copy with $status $code, and the reason is said once",
  async (insideCopies) => {
    await using buckets = await twoBuckets({ insideCopies });
    const { client, transfer, refusals, proxy } = buckets;
    const [whole, parts] = [randomBytes(200_000), randomBytes(PART_BYTES + 1)];
    const [a, b] = [await put(client, "a", whole), await putParts(client, "b", parts)];
    expect(await transfer.copy("a", a, null)).toBe("copied");
    expect(await transfer.copy("b", b, PART_BYTES)).toBe("copied");
    expect(refusals).toEqual([insideCopies.code]);
    expect(proxy.bodyBytes()).toBeGreaterThan(2 * (whole.length + parts.length));
    expect([await buckets.md5("a"), await buckets.md5("b")]).toEqual([md5(whole), md5(parts)]);
    expect(await buckets.head("new", "b")).toMatchObject({ ETag: `"${b.etag}"`, ...kept });
  },
  120_000,
);

test("a failure that may pass does not make the command send the bytes", async () => {
  await using buckets = await twoBuckets({ insideCopies: { status: 503, code: "SlowDown" } });
  const object = await put(buckets.client, "a", randomBytes(10));
  await expect(buckets.transfer.copy("a", object, null)).rejects.toThrow();
  expect(buckets.refusals).toEqual([]);
}, 120_000);

test("an object that is gone, or has changed, is not copied", async () => {
  for (const insideCopies of [undefined, { status: 403, code: "AccessDenied" }]) {
    await using buckets = await twoBuckets({ ...(insideCopies && { insideCopies }) });
    const { client, transfer, refusals } = buckets;
    const old = await put(client, "a", randomBytes(10));
    const oldParts = await putParts(client, "b", randomBytes(PART_BYTES + 1));
    await put(client, "a", randomBytes(10));
    await put(client, "b", randomBytes(10));
    expect(await transfer.copy("gone", old, null)).toBe("missing");
    expect(await transfer.copy("gone", oldParts, PART_BYTES)).toBe("missing");
    expect(await transfer.copy("a", old, null)).toBe("changed");
    expect(await transfer.copy("b", oldParts, PART_BYTES)).toBe("changed");
    expect(refusals).toEqual(insideCopies ? ["AccessDenied"] : []);
    expect((await client.send(new ListObjectsV2Command({ Bucket: "new" }))).KeyCount).toBe(0);
    expect((await client.send(new ListMultipartUploadsCommand({ Bucket: "new" }))).Uploads ?? []).toEqual([]);
  }
}, 120_000);

/** A part that is larger than what is kept in memory. */
const LARGE_PART_BYTES = 9 * 1024 ** 2;

test.each([
  ["answers", Infinity],
  ["closes the connection before its answer arrives", LARGE_PART_BYTES],
])(
  "a bucket with Object Lock gets an MD5 with each part: storage %s",
  async (_how, losesAnswersAbove) => {
    await using buckets = await twoBuckets({
      insideCopies: { status: 403, code: "AccessDenied" },
      demands: { contentMd5: true },
      losesAnswersAbove,
    });
    const { client, transfer } = buckets;
    const size = LARGE_PART_BYTES;
    for (const [path, bytes, partSize] of [
      ["small", randomBytes(PART_BYTES + 1), PART_BYTES],
      ["large", randomBytes(2 * size + 1), size],
    ] as const) {
      const object = await putParts(client, path, bytes, partSize);
      expect(await transfer.copy(path, object, partSize)).toBe("copied");
      expect(await buckets.md5(path)).toBe(md5(bytes));
    }
    const whole = randomBytes(size);
    expect(await transfer.copy("whole", await put(client, "whole", whole), null)).toBe("copied");
  },
  120_000,
);

test("a storage that gives the same bytes another ETag keeps no copy", async () => {
  // The settings of the storage do not say that it encrypts with KMS, so the command finds out by the first ETags.
  await using buckets = await twoBuckets({ demands: { encryption: "aws:kms" } });
  const { client, refusals } = buckets;
  const common = { endpoint: buckets.proxy.url, region: "us-east-1", timeoutMs: 60_000 };
  const transfer = createTransfer(
    { ...common, bucket: "old", credentials: keys },
    { ...common, bucket: "new", credentials: keys, encryption: { algorithm: "aws:kms" } },
    (reason) => refusals.push(reason),
  );
  const [whole, parts] = [
    await put(client, "a", randomBytes(10)),
    await putParts(client, "b", randomBytes(PART_BYTES + 1)),
  ];
  expect(await transfer.copy("a", whole, null)).toBe("refused");
  expect(await transfer.copy("a", whole, null)).toBe("other_etag");
  expect(await transfer.copy("b", parts, PART_BYTES)).toBe("other_etag");
  transfer.close();
  expect(refusals).toEqual(["the copy has another ETag"]);
  expect((await client.send(new ListObjectsV2Command({ Bucket: "new" }))).KeyCount).toBe(0);
}, 120_000);

test("storage copies an object to another key, or says that the bytes have to be sent", async () => {
  await using buckets = await twoBuckets();
  const { client, transfer, proxy } = buckets;
  const [whole, parts] = [randomBytes(300_000), randomBytes(2 * PART_BYTES + 1)];
  const [a, b] = [await put(client, "a ä", whole), await putParts(client, "b", parts)];
  expect(await transfer.copyInside({ from: "a ä", to: "x/1" }, a)).toBe("copied");
  expect(await transfer.copyInside({ from: "b", to: "x/2" }, b)).toBe("copied");
  expect([await buckets.md5("x/1"), await buckets.md5("x/2")]).toEqual([md5(whole), md5(parts)]);
  expect(proxy.bodyBytes()).toBeLessThan(FEW_BYTES);
  await put(client, "a ä", randomBytes(10));
  expect(await transfer.copyInside({ from: "a ä", to: "x/3" }, a)).toBe("changed");
  // The sizes of these parts are none that programs take, so the copy has another ETag.
  const odd = await putParts(client, "odd", parts, PART_BYTES + 7);
  expect(await transfer.copyInside({ from: "odd", to: "x/4" }, odd)).toBe("refused");
  expect(buckets.refusals).toEqual([]);

  await using refusing = await twoBuckets({ insideCopies: { status: 403, code: "AccessDenied" } });
  const object = await put(refusing.client, "a", whole);
  for (const to of ["x/1", "x/2"])
    expect(await refusing.transfer.copyInside({ from: "a", to }, object)).toBe("refused");
  expect(refusing.refusals).toEqual(["AccessDenied"]);
}, 120_000);
