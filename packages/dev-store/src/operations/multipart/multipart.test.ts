import { createHash, randomBytes } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import {
  aClient,
  addInputs,
  aFolder,
  aKey,
  aStore,
  BUCKET,
  incomingCount,
  refusalOf,
  type TestStore,
} from "../../../test/a-store.js";

async function anUpload(store: TestStore, Key = aKey()) {
  const { UploadId } = await store.client.send(
    new CreateMultipartUploadCommand({ Bucket: BUCKET, Key, ContentType: "video/mp4", Metadata: { a: "1" } }),
  );
  const names = { Bucket: BUCKET, Key, UploadId };
  return {
    ...names,
    put: async (PartNumber: number, Body: Buffer | string) => {
      const { ETag } = await store.client.send(new UploadPartCommand({ ...names, PartNumber, Body }));
      return { PartNumber, ETag };
    },
    complete: (Parts: { PartNumber: number; ETag: string | undefined }[], more: object = {}) =>
      store.client.send(
        new CompleteMultipartUploadCommand({ ...names, MultipartUpload: { Parts }, ...more }),
      ),
    exists: () =>
      store.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key })).then(
        () => true,
        () => false,
      ),
  };
}

const md5 = (data: Buffer) => createHash("md5").update(data).digest();
const first = randomBytes(5 * 1024 ** 2);
const second = randomBytes(100_001);

test("joins the parts into one object, hides it until then, and survives a restart", async () => {
  const dir = await aFolder();
  const before = await aStore({ dir });
  const upload = await anUpload(before);
  const one = await upload.put(1, first);
  await upload.put(7, "replaced below");
  expect(await upload.exists()).toBe(false);
  await before.stop();

  const store = await aStore({ dir });
  const { client } = store;
  const seven = await client.send(
    new UploadPartCommand({
      Bucket: BUCKET,
      Key: upload.Key,
      UploadId: upload.UploadId,
      PartNumber: 7,
      Body: second,
    }),
  );
  const { Parts, IsTruncated } = await client.send(
    new ListPartsCommand({ Bucket: BUCKET, Key: upload.Key, UploadId: upload.UploadId }),
  );
  expect(Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
    [1, first.length],
    [7, second.length],
  ]);
  expect(IsTruncated).toBe(false);
  const page = await client.send(
    new ListPartsCommand({ Bucket: BUCKET, Key: upload.Key, UploadId: upload.UploadId, MaxParts: 1 }),
  );
  expect(page).toMatchObject({ IsTruncated: true, NextPartNumberMarker: "1" });
  const etag = `"${md5(Buffer.concat([md5(first), md5(second)])).toString("hex")}-2"`;
  const completed = await client.send(
    new CompleteMultipartUploadCommand({
      Bucket: BUCKET,
      Key: upload.Key,
      UploadId: upload.UploadId,
      MultipartUpload: { Parts: [one, { PartNumber: 7, ETag: seven.ETag }] },
    }),
  );
  expect(completed.ETag).toBe(etag);
  const got = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: upload.Key }));
  expect(got).toMatchObject({ ETag: etag, ContentType: "video/mp4", Metadata: { a: "1" } });
  const whole = Buffer.from(await got.Body!.transformToByteArray());
  expect(whole.equals(Buffer.concat([first, second]))).toBe(true);
  const parts = join(dir, "buckets", BUCKET, "uploads", upload.UploadId!);
  expect((await readdir(parts)).toSorted()).toEqual(["00001", "00007"]);
  expect(await incomingCount(dir)).toBe(0);
});

test("refuses a completion that does not name the uploaded parts", async () => {
  const store = await aStore();
  const upload = await anUpload(store);
  const [one, two] = [await upload.put(1, "tiny"), await upload.put(2, "tiny")];
  const refused = (...parts: { PartNumber: number; ETag: string | undefined }[]) =>
    refusalOf(upload.complete(parts));
  expect(await refused({ ...one, ETag: two.ETag!.replace(/.{3}"$/, '000"') })).toBe("InvalidPart");
  expect(await refused({ ...one, PartNumber: 3 })).toBe("InvalidPart");
  expect(await refused(two, one)).toBe("InvalidPartOrder");
  expect(await refused(one, one)).toBe("InvalidPartOrder");
  expect(await refused(one, two)).toBe("EntityTooSmall");
  expect(await refused()).toBe("MalformedXML");
  expect(await upload.exists()).toBe(false);
  await upload.complete([one]);
  expect(await upload.exists()).toBe(true);
});

test("no longer exists after completion or abort", async () => {
  const store = await aStore();
  const completed = await anUpload(store);
  await completed.complete([await completed.put(1, "x")]);
  const aborted = await anUpload(store);
  await aborted.put(1, "x");
  await store.client.send(
    new AbortMultipartUploadCommand({ Bucket: BUCKET, Key: aborted.Key, UploadId: aborted.UploadId }),
  );
  for (const upload of [completed, aborted])
    expect(await refusalOf(upload.put(2, "late"))).toBe("NoSuchUpload");
  expect(await aborted.exists()).toBe(false);
  const { Uploads } = await store.client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
  expect(Uploads).toBeUndefined();
});

test("lists the uploads below a prefix without reading any other, also after a restart", async () => {
  const dir = await aFolder();
  const before = await aStore({ dir });
  const uploads = await Promise.all(["a/1", "a/2", "b/1"].map((key) => anUpload(before, key)));
  const listed = async ({ client }: TestStore, Prefix: string) => {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET, Prefix }));
    return Uploads.map(({ Key }) => Key);
  };
  expect(await listed(before, "a/")).toEqual(["a/1", "a/2"]);
  await before.stop();

  const store = await aStore({ dir });
  await writeFile(join(dir, "buckets", BUCKET, "uploads", uploads[2]!.UploadId!, "upload.json"), "damaged");
  expect(await listed(store, "a/")).toEqual(["a/1", "a/2"]);
  const { Key, UploadId } = uploads[0]!;
  await store.client.send(new AbortMultipartUploadCommand({ Bucket: BUCKET, Key, UploadId }));
  expect(await listed(store, "a/")).toEqual(["a/2"]);
});

test("reports a damaged upload at the start, keeps its parts, and serves the others", async () => {
  const dir = await aFolder();
  const before = await aStore({ dir });
  const [damaged, other] = await Promise.all(["a", "b"].map((key) => anUpload(before, key)));
  await damaged!.put(1, "x");
  await before.stop();
  const folder = join(dir, "buckets", BUCKET, "uploads", damaged!.UploadId!);
  await writeFile(join(folder, "upload.json"), "");

  const { client, errors } = await aStore({ dir });
  const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
  expect(Uploads?.map(({ UploadId }) => UploadId)).toEqual([other!.UploadId]);
  expect(errors.map(String)).toEqual([expect.stringContaining(`${folder}/upload.json is not a file`)]);
  expect((await readdir(folder)).toSorted()).toEqual(["00001", "upload.json"]);
});

// https://github.com/boto/boto3/issues/1227: S3 ignores it, and so do copies by parts.
test.each(["COPY", "REPLACE"])(
  "ignores the metadata directive %s of a new upload, as S3 does",
  async (directive) => {
    const store = await aStore();
    addInputs(store.client, { headers: { "x-amz-metadata-directive": directive } });
    const { Key, UploadId } = await anUpload(store);
    const client = aClient(store.endpoint);
    const names = { Bucket: BUCKET, Key, UploadId };
    const { ETag } = await client.send(new UploadPartCommand({ ...names, PartNumber: 1, Body: "x" }));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await client.send(new CompleteMultipartUploadCommand({ ...names, MultipartUpload }));
    expect(await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key }))).toMatchObject({
      ContentType: "video/mp4",
      Metadata: { a: "1" },
    });
  },
);

test("checks If-None-Match: * on completion", async () => {
  const store = await aStore();
  const upload = await anUpload(store);
  await store.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: upload.Key, Body: "here first" }));
  const part = await upload.put(1, "x");
  expect(await refusalOf(upload.complete([part], { IfNoneMatch: "*" }))).toBe("PreconditionFailed");
});

test.each([0, 10_001, -1, 1.5])("refuses part number %d", async (number) => {
  const upload = await anUpload(await aStore());
  expect(await refusalOf(upload.put(number, "x"))).toBe("InvalidArgument");
});

test("accepts its id only with its key", async () => {
  const store = await aStore();
  const { UploadId } = await anUpload(store);
  const part = (Key: string, id: string | undefined) =>
    refusalOf(
      store.client.send(
        new UploadPartCommand({ Bucket: BUCKET, Key, UploadId: id, PartNumber: 1, Body: "x" }),
      ),
    );
  expect(await part("another", UploadId)).toBe("NoSuchUpload");
  expect(await part("a", "../../../outside")).toBe("NoSuchUpload");
});

test("answers NoSuchUpload or the parts while it is aborted, and never an internal error", async () => {
  const store = await aStore();
  const outcomes = new Set<string>();
  for (let round = 0; round < 20; round++) {
    const { Bucket, Key, UploadId, put } = await anUpload(store);
    await put(1, "x");
    const list = () => store.client.send(new ListPartsCommand({ Bucket, Key, UploadId }));
    const abort = store.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    const [aborted, ...others] = await Promise.allSettled([abort, list(), list(), put(2, "late")]);
    expect(aborted.status).toBe("fulfilled");
    for (const other of others)
      outcomes.add(other.status === "fulfilled" ? "ok" : (other.reason as Error).name);
  }
  expect(["ok", "NoSuchUpload"]).toEqual(expect.arrayContaining([...outcomes]));
  expect(store.errors).toEqual([]);
});

test("is listed in pages until it ends", async () => {
  const store = await aStore();
  for (const key of ["a/1", "a/2", "a/2", "b/1"]) await anUpload(store, key);
  const listed: string[] = [];
  let markers: object = {};
  for (let page = 0; page < 5; page++) {
    const { Uploads, IsTruncated, NextKeyMarker, NextUploadIdMarker } = await store.client.send(
      new ListMultipartUploadsCommand({ Bucket: BUCKET, Prefix: "a/", MaxUploads: 1, ...markers }),
    );
    listed.push(...(Uploads ?? []).map(({ Key, UploadId }) => `${Key} ${UploadId}`));
    if (!IsTruncated) break;
    markers = { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker };
  }
  expect(new Set(listed).size).toBe(3);
  expect(listed.map((line) => line.split(" ")[0])).toEqual(["a/1", "a/2", "a/2"]);
});
