import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aStore, BUCKET, refusalOf } from "../../test/a-store.js";

test("deletes the named keys, and accepts missing ones", async () => {
  const { client } = await aStore();
  const keys = ["a", "b&<c>", "line\nbreak", "cr\rlf", "日本"];
  for (const Key of [...keys, "stays"])
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: "x" }));
  const Objects = [...keys, "never was"].map((Key) => ({ Key }));
  const { Deleted } = await client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects } }));
  expect(Deleted?.map(({ Key }) => Key)).toEqual([...keys, "never was"]);
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  expect(Contents?.map(({ Key }) => Key)).toEqual(["stays"]);
});

test("lists no keys in quiet mode", async () => {
  const { client } = await aStore();
  const Delete = { Objects: [{ Key: "a" }], Quiet: true };
  expect((await client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete }))).Deleted).toBeUndefined();
});

test("refuses more than 1,000 keys, and deletes none", async () => {
  const { client } = await aStore();
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "k0", Body: "x" }));
  const Objects = Array.from({ length: 1001 }, (_, i) => ({ Key: `k${i}` }));
  const call = client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects } }));
  expect(await refusalOf(call)).toBe("MalformedXML");
  expect((await client.send(new ListObjectsV2Command({ Bucket: BUCKET }))).KeyCount).toBe(1);
});

test("refuses a list without a digest", async () => {
  const { client } = await aStore();
  client.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      for (const name of Object.keys(headers)) if (/checksum/i.test(name)) delete headers[name];
      return next(args);
    },
    { step: "build", name: "dropChecksum", priority: "low" },
  );
  const call = client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects: [{ Key: "a" }] } }));
  expect(await refusalOf(call)).toBe("InvalidRequest");
});

const keysOf = async (client: S3Client) =>
  (await client.send(new ListObjectsV2Command({ Bucket: BUCKET }))).Contents?.map(({ Key }) => Key);

test("deletes a key with an ETag only if the object has this ETag", async () => {
  const { client } = await aStore();
  const put = (Key: string) => client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: Key }));
  const [{ ETag }] = await Promise.all([put("current"), put("replaced")]);
  const Objects = [
    { Key: "current", ETag },
    { Key: "replaced", ETag },
    { Key: "missing", ETag },
  ];
  const { Deleted, Errors } = await client.send(
    new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects, Quiet: false } }),
  );
  expect(Deleted?.map(({ Key }) => Key)).toEqual(["current"]);
  expect(Errors?.map(({ Key, Code }) => [Key, Code])).toEqual([
    ["replaced", "PreconditionFailed"],
    ["missing", "NoSuchKey"],
  ]);
  expect(await keysOf(client)).toEqual(["replaced"]);
});

// S3 checks these for directory buckets only.
test.each([{ IfMatchSize: 1 }, { IfMatchLastModifiedTime: new Date() }])(
  "refuses DeleteObject with %o, and deletes nothing",
  async (condition) => {
    const { client } = await aStore();
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "a", Body: "x" }));
    const command = new DeleteObjectCommand({ Bucket: BUCKET, Key: "a", ...condition });
    expect(await refusalOf(client.send(command))).toBe("NotImplemented");
    expect(await keysOf(client)).toEqual(["a"]);
  },
);

test.each([{ Size: 1 }, { LastModifiedTime: new Date() }])(
  "refuses DeleteObjects with %o, and deletes nothing",
  async (condition) => {
    const { client } = await aStore();
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "a", Body: "x" }));
    const Delete = { Objects: [{ Key: "a", ...condition }] };
    expect(await refusalOf(client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete })))).toBe(
      "NotImplemented",
    );
    expect(await keysOf(client)).toEqual(["a"]);
  },
);

test("refuses to delete a version", async () => {
  const { client } = await aStore();
  const Delete = { Objects: [{ Key: "a", VersionId: "1" }] };
  expect(await refusalOf(client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete })))).toBe(
    "NotImplemented",
  );
});
