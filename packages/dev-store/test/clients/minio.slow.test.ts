import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import * as Minio from "minio";
import { expect, test } from "vitest";
import { CREDENTIALS } from "../a-store.js";
import { aWorkspace, inByteOrder, NAMES, type Workspace } from "./a-workspace.js";
import { isSameContent, LARGE_BYTES, writeLargeFile } from "./large-file.js";

const BUCKET = "bucket-1";

/** MinIO's client for JavaScript with its default settings. README.md shows the same call. */
async function aMinio(): Promise<Workspace & { minio: Minio.Client }> {
  const workspace = await aWorkspace([BUCKET]);
  const minio = new Minio.Client({
    endPoint: "127.0.0.1",
    port: workspace.store.port,
    useSSL: false,
    accessKey: CREDENTIALS.accessKeyId,
    secretKey: CREDENTIALS.secretAccessKey,
  });
  return { ...workspace, minio };
}

/** Collects a listing, which the client returns as a stream. */
async function namesOf(listing: AsyncIterable<Minio.BucketItem>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, prefix } of listing) names.push(name ?? prefix ?? "");
  return names;
}

test("makes, lists and removes buckets", async () => {
  const { minio } = await aMinio();
  await minio.makeBucket("bucket-2", "us-east-1");
  expect((await minio.listBuckets()).map(({ name }) => name)).toEqual([BUCKET, "bucket-2"]);
  expect(await minio.bucketExists("bucket-2")).toBe(true);
  await minio.removeBucket("bucket-2");
  expect(await minio.bucketExists("bucket-2")).toBe(false);
});

test("puts, lists, gets, copies and removes objects with every kind of name", async () => {
  const { minio, keys } = await aMinio();
  const names = ["/leading slash.txt", ...NAMES];
  for (const name of names) await minio.putObject(BUCKET, name, name);
  expect(await keys(BUCKET)).toEqual(inByteOrder(names));
  expect(await namesOf(minio.listObjects(BUCKET, "", true))).toEqual(inByteOrder(names));
  expect(await namesOf(minio.listObjectsV2(BUCKET, "folder/"))).toEqual(["folder/inside it/"]);
  for (const name of names) {
    expect(await text(await minio.getObject(BUCKET, name))).toBe(name);
    await minio.copyObject(BUCKET, `copied/${name}`, `/${BUCKET}/${name}`);
    const source = new Minio.CopySourceOptions({ Bucket: BUCKET, Object: `copied/${name}` });
    const twice = new Minio.CopyDestinationOptions({ Bucket: BUCKET, Object: `twice/${name}` });
    await minio.copyObject(source, twice);
    expect(await text(await minio.getObject(BUCKET, `twice/${name}`))).toBe(name);
  }
  await minio.removeObject(BUCKET, "a+b.txt");
  await minio.removeObjects(BUCKET, await namesOf(minio.listObjectsV2(BUCKET, "", true)));
  expect(await keys(BUCKET)).toEqual([]);
});

test("uploads 300 MB in parts, copies it in parts inside the store and gets it back", async () => {
  const { minio, home, store } = await aMinio();
  await writeLargeFile(join(home, "large.bin"));
  await minio.fPutObject(BUCKET, "large.bin", join(home, "large.bin"), { "X-Amz-Meta-Colour": "blue" });
  const { size, metaData } = await minio.statObject(BUCKET, "large.bin");
  expect({ size, metaData }).toMatchObject({ size: LARGE_BYTES, metaData: { colour: "blue" } });
  // Only with more than one source does the client copy in parts.
  await minio.putObject(BUCKET, "tail", "tail");
  await minio.composeObject(
    new Minio.CopyDestinationOptions({ Bucket: BUCKET, Object: "copy.bin" }),
    ["large.bin", "tail"].map((name) => new Minio.CopySourceOptions({ Bucket: BUCKET, Object: name })),
  );
  await appendFile(join(home, "large.bin"), "tail");
  await minio.fGetObject(BUCKET, "copy.bin", join(home, "back.bin"));
  expect(await isSameContent(join(home, "large.bin"), join(home, "back.bin"))).toBe(true);
  expect(store.errors).toEqual([]);
});
