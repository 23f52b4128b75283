import { createHash } from "node:crypto";
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aReceiver } from "../../../test/a-receiver.js";
import { aStore, BUCKET, presign, refusalOf } from "../../../test/a-store.js";
import { outcome, send } from "../../../test/wire.js";

const md5 = (data: string) => createHash("md5").update(data).digest("base64");
const Body = "a part of a page";
const Origin = "https://app.example.com";

async function anUpload(options: Parameters<typeof aStore>[0] = {}) {
  const { client } = await aStore(options);
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key: "a" }));
  const at = { Bucket: BUCKET, Key: "a", UploadId };
  const part = { ...at, PartNumber: 1, ContentLength: Body.length, ContentMD5: md5(Body) };
  const sign = ["content-length", "content-md5"];
  return { client, at, url: await presign(client, new UploadPartCommand(part), { sign }) };
}

test("a presigned part has exactly the signed length and bytes, and answers the page of any origin", async () => {
  const { client, at, url } = await anUpload();
  const put = (body: string, contentMd5 = md5(Body)) =>
    send("PUT", url, { body, headers: { Origin, "Content-MD5": contentMd5 } });
  expect(await outcome(put(`${Body}!`))).toBe("403 SignatureDoesNotMatch");
  expect(await outcome(put(Body.toUpperCase()))).toBe("400 BadDigest");
  expect(await outcome(put(Body, md5("others")))).toBe("403 SignatureDoesNotMatch");
  expect(await outcome(send("PUT", url, { body: Body }))).toBe("403 SignatureDoesNotMatch");
  expect((await client.send(new ListPartsCommand(at))).Parts).toBeUndefined();
  const other = url.replace("partNumber=1", "partNumber=2");
  const headers = { "Content-MD5": md5(Body) };
  expect(await outcome(send("PUT", other, { body: Body, headers }))).toBe("403 SignatureDoesNotMatch");

  const preflight = await send("OPTIONS", url, {
    headers: {
      Origin,
      "Access-Control-Request-Method": "PUT",
      "Access-Control-Request-Headers": "content-md5",
    },
  });
  expect(preflight.status).toBe(200);
  expect(preflight.headers["access-control-allow-headers"]).toContain("content-md5");
  const stored = await put(Body);
  expect(stored.status).toBe(200);
  expect(stored.headers["access-control-allow-origin"]).toBe("*");
  const { Parts } = await client.send(new ListPartsCommand(at));
  expect(Parts).toMatchObject([{ PartNumber: 1, Size: Body.length, ETag: stored.headers.etag }]);
  expect(stored.headers.etag).toBe(`"${Buffer.from(md5(Body), "base64").toString("hex")}"`);
});

test("the completion is notified once, and then the URL of a part is refused", async () => {
  const receiver = await aReceiver();
  const { client, at, url } = await anUpload({ notify: { url: receiver.url } });
  const headers = { "Content-MD5": md5(Body) };
  const { etag } = (await send("PUT", url, { body: Body, headers })).headers;
  const complete = new CompleteMultipartUploadCommand({
    ...at,
    MultipartUpload: { Parts: [{ PartNumber: 1, ETag: etag }] },
  });
  await client.send(complete);
  await expect.poll(() => receiver.records.length).toBe(1);
  expect(receiver.records[0]).toMatchObject({
    eventName: "ObjectCreated:CompleteMultipartUpload",
    s3: { object: { key: "a", size: Body.length } },
  });
  expect(await outcome(send("PUT", url, { body: Body, headers }))).toBe("404 NoSuchUpload");
  expect(await refusalOf(client.send(new ListPartsCommand(at)))).toBe("NoSuchUpload");
});

test("lists parts in pages", async () => {
  const { client, at } = await anUpload();
  for (const PartNumber of [1, 3, 9, 10_000])
    await client.send(new UploadPartCommand({ ...at, PartNumber, Body: "x" }));
  const pages: number[][] = [];
  let PartNumberMarker: string | undefined;
  do {
    const page = await client.send(
      new ListPartsCommand({ ...at, MaxParts: 3, ...(PartNumberMarker ? { PartNumberMarker } : {}) }),
    );
    pages.push(page.Parts!.map((part) => part.PartNumber!));
    PartNumberMarker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
  } while (PartNumberMarker);
  expect(pages).toEqual([[1, 3, 9], [10_000]]);
});
