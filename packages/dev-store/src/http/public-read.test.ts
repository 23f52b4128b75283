import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aKey, aStore, BUCKET, presign, type TestStore } from "../../test/a-store.js";
import { outcome, send } from "../../test/wire.js";

const PUBLIC = "public-bucket";
const HEADERS = { ContentType: "image/png", CacheControl: "public, max-age=60" };

async function aPublicObject(): Promise<TestStore & { Key: string; url: string }> {
  const store = await aStore({ publicBuckets: [PUBLIC] });
  const Key = aKey();
  await store.client.send(new PutObjectCommand({ Bucket: PUBLIC, Key, Body: "bytes", ...HEADERS }));
  return { ...store, Key, url: `${store.endpoint}/${PUBLIC}/${Key}` };
}

test("everyone reads an object of a public bucket, with its headers, ranges and conditions", async () => {
  const { url } = await aPublicObject();
  const whole = await send("GET", url);
  expect(whole).toMatchObject({ status: 200, text: "bytes" });
  expect(whole.headers).toMatchObject({ "content-type": "image/png", "cache-control": "public, max-age=60" });
  expect(await send("HEAD", url)).toMatchObject({ status: 200, text: "" });
  const part = await send("GET", url, { headers: { Range: "bytes=1-2" } });
  expect(part).toMatchObject({ status: 206, text: "yt" });
  const etag = whole.headers["etag"] as string;
  expect((await send("GET", url, { headers: { "If-None-Match": etag } })).status).toBe(304);
});

test("a deleted or missing object is 403, as for everyone who may not list the bucket on AWS", async () => {
  const { client, url, Key } = await aPublicObject();
  await client.send(new DeleteObjectCommand({ Bucket: PUBLIC, Key }));
  expect(await outcome(send("GET", url))).toBe("403 AccessDenied");
  expect((await send("HEAD", url)).status).toBe(403);
});

test("everyone reads a copy from a private bucket, and not its source", async () => {
  const { client, endpoint } = await aPublicObject();
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "a", Body: "secret", ...HEADERS }));
  await client.send(new CopyObjectCommand({ Bucket: PUBLIC, Key: "b", CopySource: `${BUCKET}/a` }));
  expect(await send("GET", `${endpoint}/${PUBLIC}/b`)).toMatchObject({ status: 200, text: "secret" });
  expect(await outcome(send("GET", `${endpoint}/${BUCKET}/a`))).toBe("403 AccessDenied");
});

test("an object with a key of KMS is read with a signature only, as on AWS", async () => {
  const demands = { [PUBLIC]: { encryption: "aws:kms" } } as const;
  const { client, endpoint } = await aStore({ publicBuckets: [PUBLIC], demands });
  const kms = { Bucket: PUBLIC, Key: "a", ServerSideEncryption: "aws:kms" } as const;
  await client.send(new PutObjectCommand({ ...kms, Body: "bytes" }));
  expect(await outcome(send("GET", `${endpoint}/${PUBLIC}/a`))).toBe("400 InvalidArgument");
  const signed = await presign(client, new GetObjectCommand({ Bucket: PUBLIC, Key: "a" }));
  expect(await send("GET", signed)).toMatchObject({ status: 200, text: "bytes" });
});

test.each([
  ["GET", "", "a listing"],
  ["GET", "?list-type=2", "a listing"],
  ["GET", "?uploads", "the uploads by parts"],
  ["GET", "?cors", "the settings"],
  ["PUT", "/other", "a new object"],
  ["DELETE", "/KEY", "the end of an object"],
  ["POST", "/KEY?uploads", "an upload by parts"],
  ["GET", "/KEY?tagging", "the tags"],
  ["GET", "/KEY?response-content-type=text%2Fhtml", "another header"],
])("without a signature, %s %s is refused: %s", async (method, rest) => {
  const { client, endpoint, Key } = await aPublicObject();
  const url = `${endpoint}/${PUBLIC}${rest.replace("KEY", Key)}`;
  expect(await outcome(send(method, url))).toBe("403 AccessDenied");
  // Nothing has changed.
  expect((await client.send(new GetObjectCommand({ Bucket: PUBLIC, Key }))).ContentLength).toBe(5);
});

test("a wrong signature is refused in a public bucket too", async () => {
  const { client, Key } = await aPublicObject();
  const url = await presign(client, new GetObjectCommand({ Bucket: PUBLIC, Key }));
  const changed = url.replace(/X-Amz-Signature=.{4}/, "X-Amz-Signature=0000");
  expect(await outcome(send("GET", changed))).toBe("403 SignatureDoesNotMatch");
});

test("RestrictPublicBuckets ends these reads", async () => {
  const { client, url } = await aPublicObject();
  const PublicAccessBlockConfiguration = { RestrictPublicBuckets: true };
  const block = new PutPublicAccessBlockCommand({
    Bucket: PUBLIC,
    PublicAccessBlockConfiguration,
    ChecksumAlgorithm: "CRC32",
  });
  await client.send(block);
  expect(await outcome(send("GET", url))).toBe("403 AccessDenied");
});
