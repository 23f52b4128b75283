import { createHash, randomBytes } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import {
  addInputs,
  aDefaultClient,
  aKey,
  aStore,
  BUCKET,
  incomingCount,
  presign,
  refusalOf,
} from "../../test/a-store.js";
import { outcome, send, openRawConnection, putHead } from "../../test/wire.js";

const md5 = (data: string | Buffer) => createHash("md5").update(data);

test("stores an object's bytes, type, headers and metadata", async () => {
  const { client } = await aStore();
  const Key = aKey();
  const Body = randomBytes(300_000);
  const put = await client.send(
    new PutObjectCommand({
      Bucket: BUCKET,
      Key,
      Body,
      ContentType: "image/png",
      CacheControl: "private",
      ContentDisposition: 'inline; filename="a.png"',
      Metadata: { note: "n1" },
    }),
  );
  expect(put.ETag).toBe(`"${md5(Body).digest("hex")}"`);
  const got = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
  expect(Buffer.from(await got.Body!.transformToByteArray()).equals(Body)).toBe(true);
  expect(got).toMatchObject({
    ETag: put.ETag,
    ContentLength: 300_000,
    ContentType: "image/png",
    CacheControl: "private",
    ContentDisposition: 'inline; filename="a.png"',
    Metadata: { note: "n1" },
  });
});

test("stores zeros without taking space for them", async () => {
  const { client, dir } = await aStore();
  const Body = Buffer.alloc(8 * 1024 ** 2);
  Body.fill("x", 4_000_000, 4_000_100);
  const [Key, nothing] = [aKey(), aKey()];
  const put = await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
  expect(put.ETag).toBe(`"${md5(Body).digest("hex")}"`);
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: nothing, Body: Buffer.alloc(100_000) }));
  const got = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
  expect(Buffer.from(await got.Body!.transformToByteArray()).equals(Body)).toBe(true);
  const empty = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: nothing }));
  expect(Buffer.from(await empty.Body!.transformToByteArray()).equals(Buffer.alloc(100_000))).toBe(true);
  const objects = join(dir, "buckets", BUCKET, "objects");
  const files = await readdir(objects, { recursive: true });
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(objects, name))).blocks * 512));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(Body.length / 4);
});

describe("the official client with its default settings", () => {
  test("stores a buffer with the checksum that the client adds, and the client verifies it on reading", async () => {
    const client = aDefaultClient((await aStore()).endpoint);
    const Key = aKey();
    const Body = randomBytes(100_000);
    const put = await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
    expect(put.ChecksumCRC32).toBeDefined();
    const got = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
    expect(got.ChecksumCRC32).toBe(put.ChecksumCRC32);
    expect(Buffer.from(await got.Body!.transformToByteArray()).equals(Body)).toBe(true);
  });

  test("stores a stream with its checksum in a trailer", async () => {
    const client = aDefaultClient((await aStore()).endpoint);
    const Key = aKey();
    const parts = Array.from({ length: 40 }, () => randomBytes(70_001));
    const whole = Buffer.concat(parts);
    await client.send(
      new PutObjectCommand({ Bucket: BUCKET, Key, Body: Readable.from(parts), ContentLength: whole.length }),
    );
    const got = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
    expect(got.ContentEncoding).toBeUndefined();
    expect(Buffer.from(await got.Body!.transformToByteArray()).equals(whole)).toBe(true);
  });

  test.each(["CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const)("can use %s", async (ChecksumAlgorithm) => {
    const client = aDefaultClient((await aStore()).endpoint);
    const Key = aKey();
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: "123456789", ChecksumAlgorithm }));
    const got = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
    expect(await got.Body!.transformToString()).toBe("123456789");
  });
});

describe("a length", () => {
  test("that is signed allows only a body of that length", async () => {
    const { client } = await aStore();
    const Key = aKey();
    const command = new PutObjectCommand({ Bucket: BUCKET, Key, ContentLength: 10 });
    const url = await presign(client, command, { sign: ["content-length"] });
    const outcomes = await Promise.all(
      ["", "123456789", "12345678901"].map((body) => outcome(send("PUT", url, { body }))),
    );
    expect(outcomes).toEqual(Array(3).fill("403 SignatureDoesNotMatch"));
    expect(await refusalOf(client.send(new HeadObjectCommand({ Bucket: BUCKET, Key })))).toBe("NotFound");
    expect(await outcome(send("PUT", url, { body: "1234567890", isChunked: true }))).toBe(
      "403 SignatureDoesNotMatch",
    );
    expect(await outcome(send("PUT", url, { body: "1234567890" }))).toBe("200");
    const stored = await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key }));
    expect(stored.ContentLength).toBe(10);
  });

  test("is required", async () => {
    const { client } = await aStore();
    const url = await presign(client, new PutObjectCommand({ Bucket: BUCKET, Key: aKey() }));
    expect(await outcome(send("PUT", url, { body: "x", isChunked: true }))).toBe("411 MissingContentLength");
  });

  test("above 5 GiB is refused before a byte is read", async () => {
    const { client, dir } = await aStore();
    const url = await presign(client, new PutObjectCommand({ Bucket: BUCKET, Key: aKey() }));
    const raw = await openRawConnection(url);
    raw.socket.write(putHead(url, { "Content-Length": String(5 * 1024 ** 3 + 1) }));
    expect(await raw.until(/<\/Error>/)).toMatch(/^HTTP\/1.1 400 [^]*EntityTooLarge/);
    expect(await incomingCount(dir)).toBe(0);
    raw.socket.destroy();
  });
});

describe("a digest", () => {
  const wrong = md5("abc").digest("base64");

  test.each<[string, object, Record<string, string>]>([
    ["Content-MD5", { ContentMD5: wrong }, { "content-md5": wrong }],
    [
      "x-amz-checksum-sha256",
      { ChecksumSHA256: createHash("sha256").update("abc").digest("base64") },
      { "x-amz-checksum-sha256": createHash("sha256").update("abc").digest("base64") },
    ],
  ])("in %s that belongs to another body stores nothing", async (_name, input, headers) => {
    const { client, dir } = await aStore();
    const Key = aKey();
    const url = await presign(client, new PutObjectCommand({ Bucket: BUCKET, Key, ...input }), {
      sign: Object.keys(headers),
    });
    expect(await outcome(send("PUT", url, { headers, body: "abd" }))).toBe("400 BadDigest");
    expect(await refusalOf(client.send(new HeadObjectCommand({ Bucket: BUCKET, Key })))).toBe("NotFound");
    expect(await incomingCount(dir)).toBe(0);
    expect(await outcome(send("PUT", url, { headers, body: "abc" }))).toBe("200");
  });

  // A client that announces a checksum must not believe that it was checked.
  test.each<Record<string, string>>([
    { "x-amz-sdk-checksum-algorithm": "CRC32" },
    { "x-amz-sdk-checksum-algorithm": "CRC32", "x-amz-checksum-crc64nvme": "rosUhgp5mIg=" },
    { "x-amz-trailer": "x-amz-checksum-crc32" },
    { "x-amz-checksum-crc32": "y/Q5Jg==", "x-amz-checksum-crc64nvme": "rosUhgp5mIg=" },
  ])("that is announced as %o, and not sent like this, is refused", async (headers) => {
    const { client } = await aStore();
    addInputs(client, { headers });
    const put = client.send(new PutObjectCommand({ Bucket: BUCKET, Key: aKey(), Body: "123456789" }));
    expect(await refusalOf(put)).toBe("InvalidRequest");
  });

  test("that is malformed is refused", async () => {
    const { client } = await aStore();
    const url = await presign(client, new PutObjectCommand({ Bucket: BUCKET, Key: aKey() }));
    const headers = { "content-md5": "not base64 of 16 bytes" };
    expect(await outcome(send("PUT", url, { headers, body: "x" }))).toBe("400 InvalidDigest");
  });
});

describe("a condition", () => {
  test("If-None-Match: * lets exactly one of eight writers succeed", async () => {
    const { client } = await aStore();
    const Key = aKey();
    const url = await presign(client, new PutObjectCommand({ Bucket: BUCKET, Key, IfNoneMatch: "*" }), {
      sign: ["if-none-match"],
    });
    const bodies = Array.from({ length: 8 }, (_, i) => Buffer.alloc(300_000, 65 + i));
    const answers = await Promise.all(
      bodies.map((body) => send("PUT", url, { headers: { "if-none-match": "*" }, body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(412)]);
    const got = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(Buffer.from(await got.Body!.transformToByteArray()).equals(bodies[winner]!)).toBe(true);
  });

  test("If-Match is compared with the current object", async () => {
    const { client } = await aStore();
    const Key = aKey();
    const put = (Body: string, IfMatch?: string) =>
      client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ...(IfMatch ? { IfMatch } : {}) }));
    expect(await refusalOf(put("one", '"none"'))).toBe("NoSuchKey");
    const { ETag } = await put("one");
    await put("two", ETag);
    expect(await refusalOf(put("three", ETag))).toBe("PreconditionFailed");
  });

  test("that S3 does not support is refused", async () => {
    const { client } = await aStore();
    const put = client.send(
      new PutObjectCommand({ Bucket: BUCKET, Key: aKey(), Body: "x", IfNoneMatch: '"etag"' }),
    );
    expect(await refusalOf(put)).toBe("NotImplemented");
  });
});

test("stores one complete object when many writers use one key", async () => {
  const { client, dir } = await aStore();
  const Key = aKey();
  const bodies = Array.from({ length: 12 }, (_, i) => Buffer.alloc(700_000 + i, 65 + i));
  await Promise.all(bodies.map((Body) => client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }))));
  const got = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
  const stored = Buffer.from(await got.Body!.transformToByteArray());
  expect(bodies.some((body) => body.equals(stored))).toBe(true);
  expect(got.ETag).toBe(`"${md5(stored).digest("hex")}"`);
  expect(await incomingCount(dir)).toBe(0);
});

test.each<[string, object, string]>([
  ["a public ACL", { ACL: "public-read" }, "AccessControlListNotSupported"],
  ["encryption", { ServerSideEncryption: "AES256" }, "NotImplemented"],
  ["tags", { Tagging: "a=b" }, "NotImplemented"],
  ["another storage class", { StorageClass: "GLACIER" }, "InvalidStorageClass"],
  ["more metadata than 2 KB", { Metadata: { long: "x".repeat(2048) } }, "MetadataTooLarge"],
])("refuses %s rather than promise it", async (_what, input, code) => {
  const { client } = await aStore();
  const put = client.send(new PutObjectCommand({ Bucket: BUCKET, Key: aKey(), Body: "x", ...input }));
  expect(await refusalOf(put)).toBe(code);
});

test("accepts a private ACL, signed", async () => {
  const { client } = await aStore();
  const put = await client.send(
    new PutObjectCommand({ Bucket: BUCKET, Key: aKey(), Body: "x", ACL: "private" }),
  );
  expect(put.$metadata.httpStatusCode).toBe(200);
});
