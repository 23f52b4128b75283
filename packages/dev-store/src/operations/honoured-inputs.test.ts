import {
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { addInputs, aStore, BUCKET, refusalOf, type TestStore } from "../../test/a-store.js";
import { OFFERED } from "../../test/offered-operations.js";
import { REQUIRED, sdkInputs, sdkOperations, sdkOutcome, withInput } from "../../test/sdk-inputs.js";

test("refuses every other operation of the official SDK", async () => {
  const { client } = await aStore();
  const others = sdkOperations().filter((operation) => !OFFERED[operation]);
  const outcomes = await Promise.all(
    others.map(async (operation) => [operation, await sdkOutcome(client, operation, REQUIRED)]),
  );
  expect(outcomes).toEqual(others.map((operation) => [operation, "NotImplemented"]));
});

test.each(Object.keys(OFFERED))("honours or refuses every input of %s", async (operation) => {
  const store = await aStore();
  const { base } = OFFERED[operation]!;
  const anObject = () => store.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "k", Body: "x" }));
  const outcomeOf = (input: object, { path, value }: Case) =>
    sdkOutcome(store.client, operation, withInput(input, path, value));
  const cases = casesOf(operation);

  await anObject();
  const input = await base(store);
  const before = await contentOf(store);
  const refused = cases.filter(({ expected }) => expected !== "ok");
  const outcomes = await Promise.all(
    refused.map(async (each) => {
      const outcome = await outcomeOf(input, each);
      return {
        ...each,
        expected: each.expected === "refused" && REFUSALS.has(outcome) ? "refused" : outcome,
      };
    }),
  );
  expect(outcomes).toEqual(refused);
  expect(await contentOf(store)).toEqual(before);

  for (const each of cases.filter(({ expected }) => expected === "ok")) {
    await anObject();
    expect(await outcomeOf(await base(store), each), `${each.path}: ${String(each.value)}`).toBe("ok");
  }
});

test("knows the inputs inside documents, and hundreds in all", () => {
  expect(sdkInputs("DeleteObjects").map(({ path }) => path)).toContain("Delete.Objects.LastModifiedTime");
  const cases = Object.keys(OFFERED).flatMap(casesOf);
  expect(cases.filter(({ expected }) => expected === "refused").length).toBeGreaterThan(250);
});

test.each(["HEAD", "object", "undefined"])("refuses the unknown query parameter %s", async (name) => {
  const { client } = await aStore();
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "k", Body: "x" }));
  addInputs(client, { query: { [name]: "1" } });
  const head = client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: "k" }));
  await expect(head).rejects.toMatchObject({ $metadata: { httpStatusCode: 501 } });
});

test("refuses an input with one value in the query and another one in a header", async () => {
  const { client } = await aStore();
  addInputs(client, { query: { "X-Amz-Meta-A": "1" }, headers: { "x-amz-meta-a": "2" } });
  const put = client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "k", Body: "x" }));
  expect(await refusalOf(put)).toBe("InvalidArgument");
});

interface Case {
  path: string;
  value: unknown;
  expected: string;
}

function casesOf(operation: string): Case[] {
  const { honoured } = OFFERED[operation]!;
  return sdkInputs(operation).flatMap(({ path, samples }) => {
    if (path in REQUIRED || path === "Body") return [];
    const known = honoured[path] ?? {};
    if (typeof known === "string") return samples.map((value) => ({ path, value, expected: known }));
    const values = new Set([...samples, ...readValues(known, samples)]);
    return [...values].map((value) => ({ path, value, expected: known[String(value)] ?? "refused" }));
  });
}

/** "Error" is the SDK itself, which does not implement every checksum. */
const REFUSALS = new Set([
  "NotImplemented",
  "InvalidArgument",
  "InvalidRequest",
  "InvalidStorageClass",
  "Error",
  "AccessControlListNotSupported",
  "InvalidBucketAclWithObjectOwnership",
  "IllegalLocationConstraintException",
]);

/** Returns the keys of a table of values, with the type of the samples. */
function readValues(table: object, [sample]: readonly unknown[]): unknown[] {
  return Object.keys(table).map((text) => (typeof sample === "boolean" ? text === "true" : text));
}

/** What a refused request must not change. */
async function contentOf({ client }: TestStore): Promise<object> {
  const [{ Contents }, { Uploads }, newBucket] = await Promise.all([
    client.send(new ListObjectsV2Command({ Bucket: BUCKET })),
    client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET })),
    client.send(new HeadBucketCommand({ Bucket: "new-bucket" })).catch(({ name }: Error) => name),
  ]);
  return { Contents, Uploads, hasNewBucket: newBucket !== "NotFound" };
}
