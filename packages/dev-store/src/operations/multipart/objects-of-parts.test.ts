import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cp, readdir, rm, stat } from "node:fs/promises";
import http from "node:http";
import { join } from "node:path";
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { aFolder, aStore, BUCKET, incomingCount, presign, refusalOf } from "../../../test/a-store.js";
import { pathOf } from "../../../test/wire.js";

const Key = "film.mp4";
const names = { Bucket: BUCKET, Key };
const MIB = 1024 ** 2;
const parts = [randomBytes(5 * MIB), randomBytes(5 * MIB + 7), randomBytes(1001)];
const whole = Buffer.concat(parts);

/** Uploads the parts with the numbers 2, 4, 6 and so on. */
async function anUpload(client: S3Client, bodies = parts) {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(names));
  const at = { ...names, UploadId };
  const uploaded: CompletedPart[] = [];
  for (const [index, Body] of bodies.entries()) {
    const PartNumber = 2 * (index + 1);
    const { ETag } = await client.send(new UploadPartCommand({ ...at, PartNumber, Body }));
    uploaded.push({ PartNumber, ETag });
  }
  const complete = (by = client) =>
    by.send(new CompleteMultipartUploadCommand({ ...at, MultipartUpload: { Parts: uploaded } }));
  return { at, complete };
}

async function anObject(client: S3Client, bodies = parts) {
  const upload = await anUpload(client, bodies);
  await upload.complete();
  return upload;
}

async function bytesOf(client: S3Client, input: { Key?: string; Range?: string } = {}): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ ...names, ...input }));
  return Buffer.from(await Body!.transformToByteArray());
}

const uploadsIn = (dir: string) => join(dir, "buckets", BUCKET, "uploads");

describe("an object of several parts", () => {
  test("is read whole and in ranges across its parts, copied, listed, and read again after a restart", async () => {
    const dir = await aFolder();
    const before = await aStore({ dir });
    await anObject(before.client);
    await before.stop();
    const { client } = await aStore({ dir });
    expect((await bytesOf(client)).equals(whole)).toBe(true);
    const ranges = [
      [0, 0],
      [5 * MIB - 1, 5 * MIB],
      [5 * MIB, 10 * MIB + 6],
      [MIB, whole.length - 2],
      [whole.length - 1, whole.length - 1],
    ] as const;
    for (const [first, last] of ranges) {
      const read = await bytesOf(client, { Range: `bytes=${first}-${last}` });
      expect(read.equals(whole.subarray(first, last + 1)), `${first}-${last}`).toBe(true);
    }
    expect((await bytesOf(client, { Range: "bytes=-2000" })).equals(whole.subarray(-2000))).toBe(true);
    await client.send(new CopyObjectCommand({ Bucket: BUCKET, Key: "copy", CopySource: `${BUCKET}/${Key}` }));
    expect((await bytesOf(client, { Key: "copy" })).equals(whole)).toBe(true);
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
    expect(Contents?.map(({ Size }) => Size)).toEqual([whole.length, whole.length]);
  });

  test("is completed without a copy of its bytes, and keeps no part that it does not name", async () => {
    const { client, dir } = await aStore();
    const { at, complete } = await anUpload(client);
    await client.send(new UploadPartCommand({ ...at, PartNumber: 5, Body: "not named" }));
    const part = join(uploadsIn(dir), at.UploadId!, "00002");
    const before = await stat(part);
    await complete();
    expect((await stat(part)).ino).toBe(before.ino);
    expect(await readdir(join(uploadsIn(dir), at.UploadId!))).toEqual(["00002", "00004", "00006"]);
    expect((await bytesOf(client)).equals(whole)).toBe(true);
  });

  test("frees its parts when it is replaced or deleted", async () => {
    const { client, dir } = await aStore();
    for (const command of [new PutObjectCommand({ ...names, Body: "new" }), new DeleteObjectCommand(names)]) {
      await anObject(client);
      await client.send(command as PutObjectCommand);
      expect(await readdir(uploadsIn(dir))).toEqual([]);
    }
    expect(await incomingCount(dir)).toBe(0);
  });

  test("stays readable for a reader that began before it was deleted, and is freed afterwards", async () => {
    const { client, dir } = await aStore();
    // More than the buffers of a connection hold.
    const large = randomBytes(16 * MIB);
    await anObject(client, [large, large, ...parts]);
    const url = await presign(client, new GetObjectCommand(names));
    const request = http.get({
      hostname: "127.0.0.1",
      port: new URL(url).port,
      path: pathOf(url),
      agent: false,
    });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    expect(response.statusCode).toBe(200);
    await client.send(new DeleteObjectCommand(names));
    expect(await refusalOf(bytesOf(client))).toBe("NoSuchKey");
    expect(await readdir(uploadsIn(dir))).toHaveLength(1);
    const blocks: Buffer[] = [];
    for await (const block of response) blocks.push(block as Buffer);
    expect(Buffer.concat(blocks).equals(Buffer.concat([large, large, whole]))).toBe(true);
    await expect.poll(() => readdir(uploadsIn(dir))).toEqual([]);
  });

  test("accepts no further part after a process was killed between the commit and the end of the upload", async () => {
    const dir = await aFolder();
    const left = join(await aFolder(), "upload.json");
    const before = await aStore({ dir });
    const { at, complete } = await anUpload(before.client);
    const open = join(uploadsIn(dir), at.UploadId!, "upload.json");
    await cp(open, left);
    const { ETag } = await complete();
    await before.stop();
    await cp(left, open);
    const { client } = await aStore({ dir });
    const late = new UploadPartCommand({ ...at, PartNumber: 2, Body: "late" });
    expect(await refusalOf(client.send(late))).toBe("NoSuchUpload");
    expect((await bytesOf(client)).equals(whole)).toBe(true);
    expect((await complete(client)).ETag).toBe(ETag);
  });

  test("leaves no parts after a process was killed while it deleted the object", async () => {
    const dir = await aFolder();
    const before = await aStore({ dir });
    await anObject(before.client);
    const open = await before.client.send(new CreateMultipartUploadCommand({ ...names, Key: "open" }));
    await before.stop();
    await rm(join(dir, "buckets", BUCKET, "objects"), { recursive: true });
    await cp(await aFolder(), join(dir, "buckets", BUCKET, "objects"), { recursive: true });
    const { client } = await aStore({ dir });
    expect(await readdir(uploadsIn(dir))).toEqual([open.UploadId]);
    const stillOpen = { ...names, Key: "open", UploadId: open.UploadId };
    expect((await client.send(new ListPartsCommand(stillOpen))).Parts).toBeUndefined();
  });
});
