import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aKey, aStore, BUCKET, presign } from "../../test/a-store.js";
import { outcome, send } from "../../test/wire.js";

const head = (client: S3Client, Key: string) => client.send(new HeadObjectCommand({ Bucket: BUCKET, Key }));

test("returns metadata of a presigned query as RFC 2047 text, also from a copy", async () => {
  const { client } = await aStore();
  const Key = aKey();
  const Metadata = { title: "日本", plain: "AMAZON S3", lines: "a\nb" };
  const url = await presign(client, new PutObjectCommand({ Bucket: BUCKET, Key, Metadata }));
  expect(await outcome(send("PUT", url, { body: "x" }))).toBe("200");
  await client.send(new CopyObjectCommand({ Bucket: BUCKET, Key: "copy", CopySource: `${BUCKET}/${Key}` }));
  for (const key of [Key, "copy"])
    expect((await head(client, key)).Metadata).toEqual({
      title: "=?UTF-8?B?5pel5pys?=",
      plain: "AMAZON S3",
      lines: "=?UTF-8?Q?a=0Ab?=",
    });
});

// AWS reads headers as Latin-1 too: https://github.com/minio/minio/pull/21282 has an answer of its service.
test.each([
  ["voilà", "=?UTF-8?Q?voil=C3=83=C2=A0?="],
  ["ö", "=?UTF-8?B?w4PCtg==?="],
])("returns UTF-8 in a signed header, %s, as AWS does", async (text, expected) => {
  const { client } = await aStore();
  const Key = aKey();
  const command = new PutObjectCommand({ Bucket: BUCKET, Key, Metadata: { a: text } });
  const url = await presign(client, command, { sign: ["x-amz-meta-a"] });
  const headers = { "x-amz-meta-a": Buffer.from(text).toString("latin1") };
  // Node writes headers as UTF-8 if the body is a string.
  expect(await outcome(send("PUT", url, { headers, body: Buffer.from("x") }))).toBe("200");
  expect((await head(client, Key)).Metadata).toEqual({ a: expected });
});

test("refuses a metadata name that no header can have", async () => {
  const { client } = await aStore();
  const command = new PutObjectCommand({ Bucket: BUCKET, Key: aKey(), Metadata: { "ü b": "x" } });
  const url = await presign(client, command);
  expect(url).toContain("x-amz-meta-%C3%BC%20b");
  expect(await outcome(send("PUT", url, { body: "x" }))).toBe("400 InvalidArgument");
});

test.each([
  ["aws-chunked", undefined],
  ["aws-chunked,gzip", "gzip"],
  ["gzip, aws-chunked", "gzip"],
  ["AWS-Chunked, gzip , br, aws-chunked", "gzip,br"],
  ["gzip", "gzip"],
])("stores the encoding %s as %s", async (encoding, expected) => {
  const { client } = await aStore();
  const Key = aKey();
  const put = await presign(client, new PutObjectCommand({ Bucket: BUCKET, Key }));
  const headers = { "content-encoding": encoding };
  expect(await outcome(send("PUT", put, { headers, body: "x" }))).toBe("200");
  expect((await head(client, Key)).ContentEncoding).toBe(expected);
  const create = await presign(client, new CreateMultipartUploadCommand({ Bucket: BUCKET, Key }));
  expect(await outcome(send("POST", create, { headers }))).toBe("200");
});
