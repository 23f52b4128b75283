import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { addInputs, aStore, BUCKET, refusalOf } from "../../test/a-store.js";

async function withKeys(keys: string[]): Promise<S3Client> {
  const { client } = await aStore();
  for (const Key of keys) await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: Key }));
  return client;
}

/** Returns all pages of a listing; each item is `k:<key>` or `p:<prefix>`. */
async function pagesOf(client: S3Client, question: object): Promise<string[][]> {
  const pages: string[][] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: BUCKET,
        ...question,
        ...(ContinuationToken ? { ContinuationToken } : {}),
      }),
    );
    const items = [
      ...(page.Contents ?? []).map(({ Key }) => `k:${Key}`),
      ...(page.CommonPrefixes ?? []).map(({ Prefix }) => `p:${Prefix}`),
    ];
    expect(page.KeyCount).toBe(items.length);
    expect(page.IsTruncated).toBe(page.NextContinuationToken !== undefined);
    pages.push(items);
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken && pages.length < 50);
  return pages;
}

const KEYS = ["a", "a/", "a/1", "a/2", "a/b/3", "ab", "b/1", "b/2", "c"];

test("lists the keys under a prefix", async () => {
  const client = await withKeys(KEYS);
  expect(await pagesOf(client, { Prefix: "a/" })).toEqual([["k:a/", "k:a/1", "k:a/2", "k:a/b/3"]]);
  expect(await pagesOf(client, { Prefix: "nothing" })).toEqual([[]]);
});

test("groups keys by a delimiter", async () => {
  const client = await withKeys(KEYS);
  expect(await pagesOf(client, { Delimiter: "/" })).toEqual([["k:a", "k:ab", "k:c", "p:a/", "p:b/"]]);
  expect(await pagesOf(client, { Delimiter: "/", Prefix: "a/" })).toEqual([
    ["k:a/", "k:a/1", "k:a/2", "p:a/b/"],
  ]);
});

test.each([1, 2, 3, 4, 5, 1000])("lists every key once in pages of %i", async (MaxKeys) => {
  const client = await withKeys(KEYS);
  const flat = await pagesOf(client, { MaxKeys });
  expect(flat.flat()).toEqual(KEYS.map((key) => `k:${key}`));
  expect(Math.max(...flat.map((page) => page.length))).toBeLessThanOrEqual(MaxKeys);
  const rolled = await pagesOf(client, { MaxKeys, Delimiter: "/" });
  expect(rolled.flat().sort()).toEqual(["k:a", "k:ab", "k:c", "p:a/", "p:b/"]);
});

test("continues at its position after deletes and writes", async () => {
  const client = await withKeys(["a", "b", "c", "d"]);
  const first = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, MaxKeys: 2 }));
  await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: "b" }));
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "aa", Body: "x" }));
  const ContinuationToken = first.NextContinuationToken!;
  const second = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, ContinuationToken }));
  expect(second.Contents?.map(({ Key }) => Key)).toEqual(["c", "d"]);
});

test("lists at most 1,000 keys by default", async () => {
  const { client } = await aStore();
  const { MaxKeys } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  expect(MaxKeys).toBe(1000);
});

test("starts after a key", async () => {
  const client = await withKeys(KEYS);
  expect(await pagesOf(client, { StartAfter: "b/1" })).toEqual([["k:b/2", "k:c"]]);
});

test("ignores the start key once a token continues the listing", async () => {
  const client = await withKeys(KEYS);
  expect(await pagesOf(client, { StartAfter: "b/1", MaxKeys: 1 })).toEqual([["k:b/2"], ["k:c"]]);
  const first = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, MaxKeys: 7 }));
  const ContinuationToken = first.NextContinuationToken!;
  expect(await pagesOf(client, { ContinuationToken, StartAfter: "c" })).toEqual([["k:b/2", "k:c"]]);
});

test("lists the owner of each object, if asked for", async () => {
  const client = await withKeys(["a"]);
  const list = async (FetchOwner?: boolean) =>
    (await client.send(new ListObjectsV2Command({ Bucket: BUCKET, FetchOwner }))).Contents?.[0]?.Owner;
  expect(await list(true)).toMatchObject({ ID: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect([await list(false), await list()]).toEqual([undefined, undefined]);
});

test("refuses another version of the listing", async () => {
  const { client } = await aStore();
  addInputs(client, { query: { "list-type": "3" } });
  expect(await refusalOf(client.send(new ListObjectsV2Command({ Bucket: BUCKET })))).toBe("InvalidArgument");
});

test("lists size, ETag and time of an object", async () => {
  const at = new Date();
  const { client } = await aStore({ now: () => at });
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "a", Body: "abc" }));
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  expect(Contents).toEqual([
    {
      Key: "a",
      Size: 3,
      ETag: '"900150983cd24fb0d6963f7d28e17f72"',
      LastModified: at,
      StorageClass: "STANDARD",
    },
  ]);
});

test.each([
  ["MaxKeys", -1],
  ["ContinuationToken", "forged"],
  ["ContinuationToken", ""],
  ["EncodingType", "base64"],
])("refuses %s = %s", async (name, value) => {
  const { client } = await aStore();
  const list = client.send(new ListObjectsV2Command({ Bucket: BUCKET, [name]: value }));
  expect(await refusalOf(list)).toBe("InvalidArgument");
});
