import { ListBucketsCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aFolder, aStore, refusalOf } from "../../test/a-store.js";

const namesOf = ({ Buckets }: { Buckets?: { Name?: string | undefined }[] | undefined }) =>
  Buckets?.map(({ Name }) => Name);

test("lists every bucket by name with its creation date, also after a restart", async () => {
  const dir = await aFolder();
  const createdAt = new Date("2026-02-03T04:05:06.789Z");
  const first = await aStore({ dir, now: () => createdAt, buckets: ["b-2", "a-1", "b.10"] });
  await first.stop();
  const { client } = await aStore({ dir, buckets: [] });
  const { Buckets, Owner, ContinuationToken } = await client.send(new ListBucketsCommand({}));
  expect(Buckets).toEqual(
    ["a-1", "b-2", "b.10"].map((Name) => ({ Name, CreationDate: createdAt, BucketRegion: "us-east-1" })),
  );
  expect(Owner?.ID).toMatch(/^[0-9a-f]{64}$/);
  expect(ContinuationToken).toBeUndefined();
});

test("lists no bucket of an empty store", async () => {
  const { client } = await aStore({ buckets: [] });
  expect((await client.send(new ListBucketsCommand({}))).Buckets).toEqual([]);
});

test("lists the buckets of a prefix in pages", async () => {
  const { client } = await aStore({ buckets: ["dev-3", "dev-1", "other", "dev-2"] });
  const list = (more: object) =>
    client.send(new ListBucketsCommand({ Prefix: "dev-", MaxBuckets: 2, ...more }));
  const one = await list({});
  expect(namesOf(one)).toEqual(["dev-1", "dev-2"]);
  expect(one.Prefix).toBe("dev-");
  const two = await list({ ContinuationToken: one.ContinuationToken });
  expect(namesOf(two)).toEqual(["dev-3"]);
  expect(two.ContinuationToken).toBeUndefined();
});

test.each([
  ["MaxBuckets", 0],
  ["MaxBuckets", -1],
  ["BucketRegion", "eu-west-1"],
  ["ContinuationToken", "forged"],
])("refuses %s = %s", async (name, value) => {
  const { client } = await aStore();
  expect(await refusalOf(client.send(new ListBucketsCommand({ [name]: value })))).toBe("InvalidArgument");
});
