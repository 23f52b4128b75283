import dns from "node:dns";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aKey, aStore, BUCKET, CREDENTIALS, presign, refusalOf } from "../../test/a-store.js";

const lookup = dns.lookup;
/** Not every machine finds names below `localhost`, as RFC 6761 wants. */
beforeEach(() => {
  const find = (name: string, ...rest: unknown[]) =>
    (lookup as (...args: unknown[]) => void)(name.replace(/^.+\.localhost$/, "127.0.0.1"), ...rest);
  vi.spyOn(dns, "lookup").mockImplementation(find as typeof dns.lookup);
});
afterEach(() => vi.restoreAllMocks());

/** The official client with the bucket in the host. */
const virtualClient = (port: number) =>
  new S3Client({
    endpoint: `http://localhost:${port}`,
    region: "us-east-1",
    credentials: CREDENTIALS,
    maxAttempts: 1,
  });

test("the host names the bucket, for signatures in headers and in URLs", async () => {
  const { port, client } = await aStore();
  const hosted = virtualClient(port);
  const Key = `a folder/${aKey()}`;
  await hosted.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: "x" }));
  const { Contents } = await hosted.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  expect(Contents?.map((object) => object.Key)).toEqual([Key]);
  const url = await presign(hosted, new GetObjectCommand({ Bucket: BUCKET, Key }));
  expect(url).toMatch(`http://${BUCKET}.localhost:${port}/a%20folder/`);
  expect(await (await fetch(url)).text()).toBe("x");
  const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
  expect(await Body?.transformToString()).toBe("x");
});

test("a store for virtual addresses refuses a bucket in the path, as Alibaba's does", async () => {
  const { port, client } = await aStore({ addressing: "virtual" });
  const put = new PutObjectCommand({ Bucket: BUCKET, Key: aKey(), Body: "x" });
  expect(await refusalOf(client.send(put))).toBe("SecondLevelDomainForbidden");
  await virtualClient(port).send(put);
});
