import { createHash, randomBytes } from "node:crypto";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aKey, aStore, BUCKET, presign, refusalOf, type TestStore } from "../../test/a-store.js";
import { outcome, send } from "../../test/wire.js";

async function anObject(store: TestStore, Body: Buffer): Promise<{ Key: string; url: string }> {
  const Key = aKey();
  await store.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ContentType: "text/plain" }));
  return { Key, url: await presign(store.client, new GetObjectCommand({ Bucket: BUCKET, Key })) };
}

const body = randomBytes(1000);

test.each([
  ["bytes=10-19", 206, "bytes 10-19/1000", body.subarray(10, 20)],
  ["bytes=0-0", 206, "bytes 0-0/1000", body.subarray(0, 1)],
  ["bytes=990-", 206, "bytes 990-999/1000", body.subarray(990)],
  ["bytes=990-99999999999999999999", 206, "bytes 990-999/1000", body.subarray(990)],
  ["bytes=-5", 206, "bytes 995-999/1000", body.subarray(995)],
  ["bytes=-5000", 206, "bytes 0-999/1000", body],
  ["bytes=20-10", 200, undefined, body],
  ["bytes=0-1,5-6", 200, undefined, body],
  ["lines=1-2", 200, undefined, body],
  ["bytes=-", 200, undefined, body],
])("answers Range: %s with %i", async (range, status, contentRange, expected) => {
  const { url } = await anObject(await aStore(), body);
  const answer = await send("GET", url, { headers: { Range: range } });
  expect(answer.status).toBe(status);
  expect(answer.headers["content-range"]).toBe(contentRange);
  expect(answer.body.equals(expected)).toBe(true);
});

test.each(["bytes=1000-", "bytes=-0", "bytes=99999999999999999999-"])("refuses Range: %s", async (range) => {
  const { url } = await anObject(await aStore(), body);
  const answer = await send("GET", url, { headers: { Range: range } });
  expect(`${answer.status} ${answer.code}`).toBe("416 InvalidRange");
  expect(answer.headers["content-range"]).toBe("bytes */1000");
});

test("returns an empty object, but no range of it", async () => {
  const { url } = await anObject(await aStore(), Buffer.alloc(0));
  expect(await send("GET", url)).toMatchObject({ status: 200, text: "" });
  expect((await send("GET", url, { headers: { Range: "bytes=0-" } })).status).toBe(416);
});

test("checks If-Range", async () => {
  const { url } = await anObject(await aStore(), body);
  const etag = `"${createHash("md5").update(body).digest("hex")}"`;
  const status = async (ifRange: string) =>
    (await send("GET", url, { headers: { Range: "bytes=0-1", "If-Range": ifRange } })).status;
  expect([await status(etag), await status('"older"')]).toEqual([206, 200]);
});

test("evaluates conditions in the order of the standard", async () => {
  const { url } = await anObject(await aStore(), body);
  const etag = `"${createHash("md5").update(body).digest("hex")}"`;
  const past = new Date(Date.now() - 86_400_000).toUTCString();
  const future = new Date(Date.now() + 86_400_000).toUTCString();
  const get = (headers: Record<string, string>) => outcome(send("GET", url, { headers }));
  expect(await get({ "If-None-Match": etag })).toBe("304");
  expect(await get({ "If-None-Match": '"a", "b"' })).toBe("200");
  expect(await get({ "If-None-Match": '"a"', "If-Modified-Since": future })).toBe("200");
  expect(await get({ "If-Modified-Since": future })).toBe("304");
  expect(await get({ "If-Modified-Since": past })).toBe("200");
  expect(await get({ "If-Match": '"a"' })).toBe("412 PreconditionFailed");
  expect(await get({ "If-Match": etag, "If-Unmodified-Since": past })).toBe("200");
  expect(await get({ "If-Unmodified-Since": past })).toBe("412 PreconditionFailed");
});

test("sends the headers that the signed URL overrides", async () => {
  const store = await aStore();
  const { Key } = await anObject(store, body);
  const disposition = `attachment; filename="a b.pdf"; filename*=UTF-8''a%20%C3%BC.pdf`;
  const url = await presign(
    store.client,
    new GetObjectCommand({
      Bucket: BUCKET,
      Key,
      ResponseContentDisposition: disposition,
      ResponseContentType: "application/octet-stream",
      ResponseCacheControl: "no-store",
    }),
  );
  for (const headers of [{}, { Range: "bytes=0-1" }])
    expect((await send("GET", url, { headers })).headers).toMatchObject({
      "content-disposition": disposition,
      "content-type": "application/octet-stream",
      "cache-control": "no-store",
    });
  expect(await outcome(send("GET", url.replace("no-store", "public")))).toBe("403 SignatureDoesNotMatch");
});

test("refuses a header value that would end the header", async () => {
  const store = await aStore();
  const { Key } = await anObject(store, body);
  for (const ResponseContentType of ["a\r\nSet-Cookie: b", "日本"]) {
    const url = await presign(
      store.client,
      new GetObjectCommand({ Bucket: BUCKET, Key, ResponseContentType }),
    );
    expect(await outcome(send("GET", url))).toBe("400 InvalidArgument");
  }
});

test("sends all of the old bytes while the object is overwritten and deleted", async () => {
  const store = await aStore();
  const old = randomBytes(8 * 1024 ** 2);
  const { Key } = await anObject(store, old);
  const got = await store.client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
  await store.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: "new" }));
  await store.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key }));
  expect(Buffer.from(await got.Body!.transformToByteArray()).equals(old)).toBe(true);
});

test("reports a missing bucket and a missing key", async () => {
  const { client } = await aStore();
  const missing = { Bucket: BUCKET, Key: "nothing" };
  expect(await refusalOf(client.send(new GetObjectCommand(missing)))).toBe("NoSuchKey");
  expect(await refusalOf(client.send(new HeadObjectCommand(missing)))).toBe("NotFound");
  expect(await refusalOf(client.send(new GetObjectCommand({ ...missing, Bucket: "no-such" })))).toBe(
    "NoSuchBucket",
  );
  await client.send(new DeleteObjectCommand(missing));
});

test("refuses a request for a version", async () => {
  const { client } = await aStore();
  const get = client.send(new GetObjectCommand({ Bucket: BUCKET, Key: "a", VersionId: "1" }));
  expect(await refusalOf(get)).toBe("NotImplemented");
});
