import {
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandOutput,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aFolder, aStore, BUCKET, refusalOf } from "../../../test/a-store.js";
import { aReceiver } from "../../../test/a-receiver.js";

const names = { Bucket: BUCKET, Key: "key" };

async function anUpload(client: S3Client) {
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...names, ChecksumAlgorithm: "CRC32", ChecksumType: "FULL_OBJECT" }),
  );
  const put = async (PartNumber: number, Body: string) => {
    const { ETag } = await client.send(new UploadPartCommand({ ...names, UploadId, PartNumber, Body }));
    return { PartNumber, ETag };
  };
  return { UploadId, parts: [await put(1, "one")], others: [await put(2, "two")] };
}

type Parts = Awaited<ReturnType<typeof anUpload>>["parts"];

const complete = (client: S3Client, UploadId: string | undefined, Parts: Parts, more: object = {}) =>
  client.send(
    new CompleteMultipartUploadCommand({ ...names, UploadId, MultipartUpload: { Parts }, ...more }),
  );

const answerOf = ({ $metadata: _, ...answer }: CompleteMultipartUploadCommandOutput) => answer;

test("gets the same answer, also at the same time and after a restart", async () => {
  const dir = await aFolder();
  const receiver = await aReceiver();
  const before = await aStore({ dir, notify: { url: receiver.url } });
  const { UploadId, parts } = await anUpload(before.client);
  const answers = await Promise.all([1, 2, 3].map(() => complete(before.client, UploadId, parts)));
  await before.stop();
  const { client } = await aStore({ dir });
  answers.push(await complete(client, UploadId, parts));
  const [first] = answers;
  expect(first).toMatchObject({ ETag: expect.stringMatching(/-1"$/), ChecksumType: "FULL_OBJECT" });
  expect(answers.map(answerOf)).toEqual(answers.map(() => answerOf(first!)));
  expect(receiver.records).toHaveLength(1);
});

test("with If-None-Match: * gets the same answer, because the object is its own", async () => {
  const { client } = await aStore();
  const { UploadId, parts } = await anUpload(client);
  const first = await complete(client, UploadId, parts, { IfNoneMatch: "*" });
  expect(answerOf(await complete(client, UploadId, parts, { IfNoneMatch: "*" }))).toEqual(answerOf(first));
});

test("with other parts finds no upload", async () => {
  const { client } = await aStore();
  const { UploadId, parts, others } = await anUpload(client);
  await complete(client, UploadId, parts);
  expect(await refusalOf(complete(client, UploadId, others))).toBe("NoSuchUpload");
});

test("finds no upload when the object was replaced or deleted, and does not bring it back", async () => {
  const { client } = await aStore();
  for (const command of [new PutObjectCommand({ ...names, Body: "new" }), new DeleteObjectCommand(names)]) {
    const { UploadId, parts } = await anUpload(client);
    await complete(client, UploadId, parts);
    await client.send(command as PutObjectCommand);
    expect(await refusalOf(complete(client, UploadId, parts))).toBe("NoSuchUpload");
  }
});
