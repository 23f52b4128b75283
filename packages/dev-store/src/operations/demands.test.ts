import { createHash } from "node:crypto";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { aKey, aStore, BUCKET, refusalOf } from "../../test/a-store.js";

const md5 = createHash("md5").update("x").digest();
const kms = { ServerSideEncryption: "aws:kms", SSEKMSKeyId: "a-key" } as const;

describe("a bucket that demands encryption", () => {
  test("refuses a PUT, a copy and an upload by parts without its header, and stores nothing", async () => {
    const { client } = await aStore({ demands: { [BUCKET]: { encryption: "AES256" } } });
    const names = { Bucket: BUCKET, Key: aKey() };
    await client.send(
      new PutObjectCommand({ ...names, Key: "from", Body: "x", ServerSideEncryption: "AES256" }),
    );
    for (const send of [
      () => client.send(new PutObjectCommand({ ...names, Body: "x" })),
      () => client.send(new PutObjectCommand({ ...names, Body: "x", ServerSideEncryption: "aws:kms" })),
      () => client.send(new CopyObjectCommand({ ...names, CopySource: `${BUCKET}/from` })),
      () => client.send(new CreateMultipartUploadCommand(names)),
    ])
      expect(await refusalOf(send())).toBe("AccessDenied");
    expect(await refusalOf(client.send(new HeadObjectCommand(names)))).toBe("NotFound");
  });

  test("says how an object is encrypted, and its ETag is the MD5", async () => {
    const { client } = await aStore({ demands: { [BUCKET]: { encryption: "AES256" } } });
    const put = { Bucket: BUCKET, Key: aKey(), Body: "x", ServerSideEncryption: "AES256" } as const;
    expect(await client.send(new PutObjectCommand(put))).toMatchObject({
      ETag: `"${md5.toString("hex")}"`,
      ServerSideEncryption: "AES256",
    });
    const head = await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: put.Key }));
    expect(head.ServerSideEncryption).toBe("AES256");
  });

  test("refuses another algorithm, and a key without KMS", async () => {
    const { client } = await aStore({ demands: { [BUCKET]: { encryption: "AES256" } } });
    for (const wrong of [
      { ServerSideEncryption: "rot13" as never },
      { ...kms, ServerSideEncryption: "AES256" as const },
    ]) {
      const put = client.send(new PutObjectCommand({ Bucket: BUCKET, Key: aKey(), Body: "x", ...wrong }));
      expect(await refusalOf(put)).toBe("InvalidArgument");
    }
  });

  test("with KMS answers ETags that are no MD5, also of parts and copies", async () => {
    const { client } = await aStore({ demands: { [BUCKET]: { encryption: "aws:kms" } } });
    const names = { Bucket: BUCKET, Key: aKey() };
    const etags: (string | undefined)[] = [];
    etags.push((await client.send(new PutObjectCommand({ ...names, ...kms, Body: "x" }))).ETag);
    const copied = await client.send(
      new CopyObjectCommand({ ...names, ...kms, Key: "copy", CopySource: `${BUCKET}/${names.Key}` }),
    );
    etags.push(copied.CopyObjectResult?.ETag);
    expect(copied).toMatchObject(kms);

    const { UploadId, SSEKMSKeyId } = await client.send(
      new CreateMultipartUploadCommand({ ...names, ...kms }),
    );
    expect(SSEKMSKeyId).toBe("a-key");
    const part = { ...names, UploadId, PartNumber: 1 };
    const { ETag } = await client.send(new UploadPartCommand({ ...part, Body: "x" }));
    etags.push(ETag);
    for (const etag of etags) expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(etags).not.toContain(`"${md5.toString("hex")}"`);
    const { Parts } = await client.send(new ListPartsCommand({ ...names, UploadId }));
    expect(Parts?.[0]?.ETag).toBe(ETag);
    const done = new CompleteMultipartUploadCommand({
      ...names,
      UploadId,
      MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
    });
    expect(await client.send(done)).toMatchObject(kms);
    expect(await client.send(new HeadObjectCommand(names))).toMatchObject(kms);
  });
});

describe("a bucket as with Object Lock", () => {
  test("refuses a PUT and a part without Content-MD5 or checksum, and takes them with one", async () => {
    const { client } = await aStore({ demands: { [BUCKET]: { contentMd5: true } } });
    const names = { Bucket: BUCKET, Key: aKey() };
    const put = client.send(new PutObjectCommand({ ...names, Body: "x" }));
    await expect(put).rejects.toMatchObject({
      name: "InvalidRequest",
      message: expect.stringContaining(
        "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object",
      ),
    });
    await client.send(new PutObjectCommand({ ...names, Body: "x", ContentMD5: md5.toString("base64") }));
    await client.send(new PutObjectCommand({ ...names, Body: "x", ChecksumAlgorithm: "CRC32" }));

    const { UploadId } = await client.send(new CreateMultipartUploadCommand(names));
    const part = { ...names, UploadId, PartNumber: 1, Body: "x" };
    expect(await refusalOf(client.send(new UploadPartCommand(part)))).toBe("InvalidRequest");
    await client.send(new UploadPartCommand({ ...part, ContentMD5: md5.toString("base64") }));
  });
});
