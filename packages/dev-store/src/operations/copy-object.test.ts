import { CopyObjectCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeEach, expect, test } from "vitest";
import { aStore, BUCKET, refusalOf, type TestStore } from "../../test/a-store.js";

let store: TestStore;
beforeEach(async () => {
  store = await aStore();
  await store.client.send(
    new PutObjectCommand({
      Bucket: BUCKET,
      Key: "from/ü +&.txt",
      Body: "text",
      ContentType: "text/plain",
      Metadata: { a: "1" },
    }),
  );
});

const SOURCE = `${BUCKET}/${encodeURIComponent("from/ü +&.txt")}`;
const copy = (input: object) =>
  store.client.send(new CopyObjectCommand({ Bucket: BUCKET, Key: "to", CopySource: SOURCE, ...input }));

async function read(Key: string) {
  const got = await store.client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
  return { text: await got.Body!.transformToString(), type: got.ContentType, metadata: got.Metadata };
}

test("copies an object with its headers and metadata", async () => {
  const { CopyObjectResult } = await copy({});
  expect(CopyObjectResult?.ETag).toBe('"1cb251ec0d568de6a929b520c4aed8d1"');
  expect(await read("to")).toEqual({ text: "text", type: "text/plain", metadata: { a: "1" } });
});

test("replaces type and metadata with REPLACE, also for a copy onto itself", async () => {
  const onto = { Key: "from/ü +&.txt", ContentType: "text/html", Metadata: { b: "2" } };
  expect(await refusalOf(copy(onto))).toBe("InvalidRequest");
  await copy({ ...onto, MetadataDirective: "REPLACE" });
  expect(await read("from/ü +&.txt")).toEqual({ text: "text", type: "text/html", metadata: { b: "2" } });
});

test("checks the conditions on the source", async () => {
  expect(await refusalOf(copy({ CopySourceIfMatch: '"other"' }))).toBe("PreconditionFailed");
  expect(await refusalOf(copy({ CopySourceIfNoneMatch: '"1cb251ec0d568de6a929b520c4aed8d1"' }))).toBe(
    "PreconditionFailed",
  );
  await copy({ CopySourceIfMatch: '"1cb251ec0d568de6a929b520c4aed8d1"' });
});

test("finds a key with a question mark that the client did not encode", async () => {
  await store.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "what?=1", Body: "asked" }));
  await copy({ CopySource: `${BUCKET}/what?=1` });
  expect((await read("to")).text).toBe("asked");
});

test("reports a missing source and a malformed source header", async () => {
  expect(await refusalOf(copy({ CopySource: `${BUCKET}/none` }))).toBe("NoSuchKey");
  expect(await refusalOf(copy({ CopySource: "none/none" }))).toBe("NoSuchBucket");
  expect(await refusalOf(copy({ CopySource: "none" }))).toBe("InvalidArgument");
  expect(await refusalOf(copy({ CopySource: `${BUCKET}/%zz` }))).toBe("InvalidArgument");
  expect(await refusalOf(copy({ CopySource: `${SOURCE}?versionId=1` }))).toBe("NotImplemented");
});
