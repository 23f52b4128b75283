import { ListObjectsCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aStore, BUCKET, presign, refusalOf } from "../../test/a-store.js";
import { send } from "../../test/wire.js";

async function withKeys(keys: string[]): Promise<S3Client> {
  const { client } = await aStore();
  for (const Key of keys) await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: Key }));
  return client;
}

/** Returns all pages of a listing; each item is `k:<key>` or `p:<prefix>`. It continues as S3's documentation says. */
async function pagesOf(
  client: S3Client,
  question: { Delimiter?: string; MaxKeys?: number },
): Promise<string[][]> {
  const pages: string[][] = [];
  let Marker: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsCommand({ Bucket: BUCKET, ...question, ...(Marker ? { Marker } : {}) }),
    );
    pages.push([
      ...(page.Contents ?? []).map(({ Key }) => `k:${Key}`),
      ...(page.CommonPrefixes ?? []).map(({ Prefix }) => `p:${Prefix}`),
    ]);
    if (question.Delimiter === undefined) expect(page.NextMarker).toBeUndefined();
    Marker = page.IsTruncated ? (page.NextMarker ?? page.Contents?.at(-1)?.Key) : undefined;
  } while (Marker && pages.length < 50);
  return pages;
}

const KEYS = ["a", "a/", "a/1", "a/2", "a/b/3", "ab", "b/1", "b/2", "c"];

test.each([1, 2, 3, 4, 5, 1000])("lists every key once in pages of %i", async (MaxKeys) => {
  const client = await withKeys(KEYS);
  const flat = await pagesOf(client, { MaxKeys });
  expect(flat.flat()).toEqual(KEYS.map((key) => `k:${key}`));
  expect(Math.max(...flat.map((page) => page.length))).toBeLessThanOrEqual(MaxKeys);
  const rolled = await pagesOf(client, { MaxKeys, Delimiter: "/" });
  expect(rolled.flat().sort()).toEqual(["k:a", "k:ab", "k:c", "p:a/", "p:b/"]);
});

test("starts after a marker, which need not exist", async () => {
  const client = await withKeys(KEYS);
  const list = async (more: object) => {
    const page = await client.send(new ListObjectsCommand({ Bucket: BUCKET, ...more }));
    return [
      ...(page.Contents ?? []).map(({ Key }) => Key),
      ...(page.CommonPrefixes ?? []).map((p) => p.Prefix),
    ];
  };
  expect(await list({ Marker: "b/1" })).toEqual(["b/2", "c"]);
  expect(await list({ Marker: "b/1x" })).toEqual(["b/2", "c"]);
  expect(await list({ Marker: "a/1", Delimiter: "/" })).toEqual(["ab", "c", "a/", "b/"]);
  expect(await list({ Marker: "a/", Delimiter: "/" })).toEqual(["ab", "c", "b/"]);
  expect(await list({ Marker: "a/", Delimiter: "/", Prefix: "a/" })).toEqual(["a/1", "a/2", "a/b/"]);
});

test("lists nothing, and says that nothing follows, for max-keys 0", async () => {
  const client = await withKeys(["a"]);
  const page = await client.send(new ListObjectsCommand({ Bucket: BUCKET, MaxKeys: 0, Delimiter: "/" }));
  expect(page).toMatchObject({ IsTruncated: false, MaxKeys: 0 });
  expect(page.Contents).toBeUndefined();
});

test("lists size, ETag, time and owner of an object", async () => {
  const at = new Date();
  const { client } = await aStore({ now: () => at });
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "a", Body: "abc" }));
  const { Contents } = await client.send(new ListObjectsCommand({ Bucket: BUCKET }));
  expect(Contents).toEqual([
    {
      Key: "a",
      Size: 3,
      ETag: '"900150983cd24fb0d6963f7d28e17f72"',
      LastModified: at,
      Owner: { ID: "0".repeat(64), DisplayName: "dev-store" },
      StorageClass: "STANDARD",
    },
  ]);
});

test("encodes every name of the answer with encoding-type=url", async () => {
  const client = await withKeys(["ü +/a\rb", "ü +/c d/1", "ü +/z"]);
  const command = new ListObjectsCommand({
    Bucket: BUCKET,
    EncodingType: "url",
    Prefix: "ü +/",
    Delimiter: " d/",
    Marker: "ü +/A",
    MaxKeys: 2,
  });
  const { text } = await send("GET", await presign(client, command));
  const read = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  expect(text).toContain("<Prefix>%C3%BC%20%2B/</Prefix>");
  expect(text).toContain("<CommonPrefixes><Prefix>%C3%BC%20%2B/c%20d/</Prefix></CommonPrefixes>");
  expect(["Key", "Marker", "NextMarker", "Delimiter", "EncodingType"].map(read)).toEqual([
    "%C3%BC%20%2B/a%0Db",
    "%C3%BC%20%2B/A",
    "%C3%BC%20%2B/c%20d/",
    "%20d/",
    "url",
  ]);
});

test.each([
  ["MaxKeys", -1],
  ["EncodingType", "base64"],
])("refuses %s = %s", async (name, value) => {
  const { client } = await aStore();
  const list = client.send(new ListObjectsCommand({ Bucket: BUCKET, [name]: value }));
  expect(await refusalOf(list)).toBe("InvalidArgument");
});
