import { createHash, randomBytes } from "node:crypto";
import {
  type ChecksumAlgorithm,
  type ChecksumType,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aDefaultClient, aFolder, aKey, aStore, BUCKET, refusalOf } from "../../../test/a-store.js";
import { startChecksum } from "../../body/checksums.js";

const first = randomBytes(5 * 1024 ** 2);
const second = randomBytes(70_001);
const whole = Buffer.concat([first, second]);

type Algorithm = "CRC32" | "CRC32C" | "CRC64NVME" | "SHA1" | "SHA256";

function checksumOf(algorithm: Algorithm, data: Buffer): string {
  const running = startChecksum(algorithm.toLowerCase() as "crc32");
  running.update(data);
  return running.digest();
}

const compositeOf = (algorithm: Algorithm, ...parts: Buffer[]) =>
  checksumOf(
    algorithm,
    Buffer.concat(parts.map((part) => Buffer.from(checksumOf(algorithm, part), "base64"))),
  );

/** An upload with an announced checksum, by a client that adds no checksum on its own. */
async function anUpload({ algorithm, type }: { algorithm?: Algorithm; type?: ChecksumType }, dir?: string) {
  const store = await aStore(dir ? { dir } : {});
  const { client } = store;
  const names = { Bucket: BUCKET, Key: aKey() };
  const created = await client.send(
    new CreateMultipartUploadCommand({ ...names, ChecksumAlgorithm: algorithm, ChecksumType: type }),
  );
  const upload = { ...names, UploadId: created.UploadId };
  const put = async (PartNumber: number, Body: Buffer, more: object = {}) => {
    const part = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body, ...more }));
    return { ...part, PartNumber } satisfies CompletedPart;
  };
  const complete = (Parts: CompletedPart[], more: object = {}) =>
    client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...more }));
  return { store, client, created, names, upload, put, complete };
}

test.each<[Algorithm, ChecksumType]>([
  ["CRC32", "COMPOSITE"],
  ["CRC32C", "COMPOSITE"],
  ["SHA1", "COMPOSITE"],
  ["SHA256", "COMPOSITE"],
  ["CRC32", "FULL_OBJECT"],
  ["CRC32C", "FULL_OBJECT"],
  ["CRC64NVME", "FULL_OBJECT"],
])("of an upload with %s, %s is stored and returned, also after a restart", async (algorithm, type) => {
  const dir = await aFolder();
  const { store, client, created, names, upload, put, complete } = await anUpload({ algorithm, type }, dir);
  expect(created).toMatchObject({ ChecksumAlgorithm: algorithm, ChecksumType: type });
  const Parts = [
    await put(1, first, { ChecksumAlgorithm: algorithm }),
    await put(2, second, { ChecksumAlgorithm: algorithm }),
  ];
  const member = `Checksum${algorithm}` as const;
  const listed = await client.send(new ListPartsCommand(upload));
  expect(listed).toMatchObject({ ChecksumAlgorithm: algorithm, ChecksumType: type });
  expect(listed.Parts?.map((part) => part[member])).toEqual(
    [first, second].map((p) => checksumOf(algorithm, p)),
  );
  const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
  expect(Uploads).toMatchObject([{ ChecksumAlgorithm: algorithm, ChecksumType: type }]);

  const expected =
    type === "COMPOSITE" ? `${compositeOf(algorithm, first, second)}-2` : checksumOf(algorithm, whole);
  const completed = await complete(Parts, { [member]: expected, ChecksumType: type });
  expect(completed).toMatchObject({ [member]: expected, ChecksumType: type });
  await store.stop();

  const after = aDefaultClient((await aStore({ dir })).endpoint);
  const head = await after.send(new HeadObjectCommand({ ...names, ChecksumMode: "ENABLED" }));
  expect(head).toMatchObject({ [member]: expected, ChecksumType: type });
  const got = await after.send(new GetObjectCommand(names));
  expect(Buffer.from(await got.Body!.transformToByteArray()).equals(whole)).toBe(true);
});

test("is composite by default, and of the whole object for CRC64NVME", async () => {
  expect((await anUpload({ algorithm: "SHA256" })).created.ChecksumType).toBe("COMPOSITE");
  expect((await anUpload({ algorithm: "CRC64NVME" })).created.ChecksumType).toBe("FULL_OBJECT");
});

test.each<[ChecksumAlgorithm | undefined, ChecksumType | undefined, string]>([
  ["CRC64NVME", "COMPOSITE", "InvalidRequest"],
  ["SHA256", "FULL_OBJECT", "InvalidRequest"],
  [undefined, "FULL_OBJECT", "InvalidRequest"],
  ["XXHASH3", undefined, "NotImplemented"],
])("%s, %s cannot be announced", async (ChecksumAlgorithm, ChecksumType, code) => {
  const { client } = await aStore();
  const input = { Bucket: BUCKET, Key: aKey(), ChecksumAlgorithm, ChecksumType };
  expect(await refusalOf(client.send(new CreateMultipartUploadCommand(input)))).toBe(code);
});

test("is required of every part if it is composite, and of no part otherwise", async () => {
  const composite = await anUpload({ algorithm: "CRC32" });
  expect(await refusalOf(composite.put(1, second))).toBe("InvalidRequest");
  expect(await refusalOf(composite.put(1, second, { ChecksumAlgorithm: "SHA1" }))).toBe("InvalidRequest");
  const { PartNumber, ETag } = await composite.put(1, second, { ChecksumAlgorithm: "CRC32" });
  expect(await refusalOf(composite.complete([{ PartNumber, ETag }]))).toBe("InvalidRequest");

  const ofAll = await anUpload({ algorithm: "CRC32", type: "FULL_OBJECT" });
  const completed = await ofAll.complete([await ofAll.put(1, second)]);
  expect(completed.ChecksumCRC32).toBe(checksumOf("CRC32", second));
});

test("that does not match leaves no part and no object", async () => {
  const { client, names, upload, put, complete } = await anUpload({ algorithm: "CRC64NVME" });
  const wrong = { ChecksumCRC64NVME: checksumOf("CRC64NVME", first) };
  expect(await refusalOf(put(1, second, wrong))).toBe("BadDigest");
  expect((await client.send(new ListPartsCommand(upload))).Parts).toBeUndefined();
  const part = await put(1, second, { ChecksumAlgorithm: "CRC64NVME" });
  expect(await refusalOf(complete([part], wrong))).toBe("BadDigest");
  expect(await refusalOf(complete([{ ...part, ...wrong }]))).toBe("InvalidPart");
  expect(await refusalOf(complete([part], { ChecksumCRC32: checksumOf("CRC32", second) }))).toBe(
    "InvalidRequest",
  );
  expect(await refusalOf(complete([part], { ChecksumType: "COMPOSITE" }))).toBe("InvalidRequest");
  expect(await refusalOf(complete([part], { MpuObjectSize: second.length + 1 }))).toBe("InvalidRequest");
  expect(await refusalOf(client.send(new HeadObjectCommand(names)))).toBe("NotFound");
  await complete([part], { MpuObjectSize: second.length });
});

test("can be given at completion alone", async () => {
  const { put, complete } = await anUpload({});
  const part = await put(1, second);
  expect(await refusalOf(complete([part], { ChecksumCRC64NVME: checksumOf("CRC64NVME", first) }))).toBe(
    "BadDigest",
  );
  const right = { ChecksumCRC64NVME: checksumOf("CRC64NVME", second) };
  expect(await complete([part], right)).toMatchObject(right);
});

test("of a copied part and of a copied object is computed", async () => {
  const { client, names, upload, complete } = await anUpload({ algorithm: "SHA256" });
  await client.send(new PutObjectCommand({ ...names, Key: "source", Body: second }));
  const CopySource = `${BUCKET}/source`;
  const part = await client.send(new UploadPartCopyCommand({ ...upload, PartNumber: 1, CopySource }));
  const sha256 = createHash("sha256").update(second).digest("base64");
  expect(part.CopyPartResult?.ChecksumSHA256).toBe(sha256);
  await complete([{ ...part.CopyPartResult, PartNumber: 1 }]);

  const copy = async (more: object) =>
    (
      await client.send(
        new CopyObjectCommand({ Bucket: BUCKET, Key: "copy", CopySource: `${BUCKET}/${names.Key}`, ...more }),
      )
    ).CopyObjectResult;
  expect(await copy({})).toMatchObject({ ChecksumSHA256: sha256, ChecksumType: "FULL_OBJECT" });
  expect(await copy({ ChecksumAlgorithm: "CRC32C" })).toMatchObject({
    ChecksumCRC32C: checksumOf("CRC32C", second),
  });
});
