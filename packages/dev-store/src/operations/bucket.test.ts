import {
  CreateBucketCommand,
  DeleteBucketPolicyCommand,
  DeletePublicAccessBlockCommand,
  GetBucketAclCommand,
  GetBucketLocationCommand,
  GetPublicAccessBlockCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aClient, aFolder, aStore, BUCKET, presign, refusalOf } from "../../test/a-store.js";
import { outcome, send } from "../../test/wire.js";

test("creates a bucket once, and has it after a restart", async () => {
  const dir = await aFolder();
  const first = await aStore({ dir });
  await Promise.all(
    [1, 2, 3].map(() => first.client.send(new CreateBucketCommand({ Bucket: "new.bucket-1" }))),
  );
  await first.client.send(new PutObjectCommand({ Bucket: "new.bucket-1", Key: "a", Body: "x" }));
  await first.stop();
  const { client } = await aStore({ dir });
  await client.send(new HeadBucketCommand({ Bucket: "new.bucket-1" }));
  expect(await refusalOf(client.send(new HeadBucketCommand({ Bucket: "never-made" })))).toBe("NotFound");
});

test("refuses a second creation and another region outside us-east-1", async () => {
  const { client, endpoint } = await aStore({ region: "eu-west-1" });
  expect(await refusalOf(client.send(new ListObjectsV2Command({ Bucket: BUCKET })))).toBe(
    "AuthorizationHeaderMalformed",
  );
  const here = aClient(endpoint, { region: "eu-west-1" });
  expect(await refusalOf(here.send(new CreateBucketCommand({ Bucket: BUCKET })))).toBe(
    "BucketAlreadyOwnedByYou",
  );
  const CreateBucketConfiguration = { LocationConstraint: "eu-central-1" as const };
  const elsewhere = here.send(new CreateBucketCommand({ Bucket: "another", CreateBucketConfiguration }));
  expect(await refusalOf(elsewhere)).toBe("IllegalLocationConstraintException");
});

test("takes the location aws-global for us-east-1, as the AWS command line without a region sends it", async () => {
  const { client } = await aStore();
  const create = (LocationConstraint: string) =>
    new CreateBucketCommand({
      Bucket: "new-bucket",
      // The SDK's type has only real regions.
      CreateBucketConfiguration: { LocationConstraint: LocationConstraint as "eu-west-1" },
    });
  await client.send(create("aws-global"));
  const abroad = await aStore({ region: "eu-west-1" });
  const call = aClient(abroad.endpoint, { region: "eu-west-1" }).send(create("aws-global"));
  expect(await refusalOf(call)).toBe("IllegalLocationConstraintException");
});

test.each(["UPPER", "ab", "a..b", "-ab", "10.0.0.1", "a_b", "...", "x".repeat(64)])(
  "refuses the bucket name %s",
  async (Bucket) => {
    const { client } = await aStore();
    expect(await refusalOf(client.send(new CreateBucketCommand({ Bucket })))).toBe("InvalidBucketName");
  },
);

test.each<[string, object, string]>([
  ["an object lock", { ObjectLockEnabledForBucket: true }, "NotImplemented"],
  ["a public ACL", { ACL: "public-read" }, "InvalidBucketAclWithObjectOwnership"],
  ["a grant", { GrantRead: 'uri="http://acs.amazonaws.com/groups/global/AllUsers"' }, "NotImplemented"],
  ["objects that their writers own", { ObjectOwnership: "ObjectWriter" }, "NotImplemented"],
  ["tags", { CreateBucketConfiguration: { Tags: [{ Key: "a", Value: "b" }] } }, "NotImplemented"],
])("refuses to create a bucket with %s", async (_what, input, code) => {
  const { client } = await aStore();
  const Bucket = "another";
  expect(await refusalOf(client.send(new CreateBucketCommand({ Bucket, ...input })))).toBe(code);
  expect(await refusalOf(client.send(new HeadBucketCommand({ Bucket })))).toBe("NotFound");
});

test("does not skip a configuration whose length is not declared", async () => {
  const { client } = await aStore();
  const url = await presign(client, new CreateBucketCommand({ Bucket: "another" }));
  const body =
    "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>";
  expect(await outcome(send("PUT", url, { body, isChunked: true }))).toBe("411 MissingContentLength");
  expect(await outcome(send("PUT", url, { body }))).toBe("400 IllegalLocationConstraintException");
});

test("stores a public access block, also after a restart, and deletes it", async () => {
  const dir = await aFolder();
  const first = await aStore({ dir });
  const get = new GetPublicAccessBlockCommand({ Bucket: BUCKET });
  expect(await refusalOf(first.client.send(get))).toBe("NoSuchPublicAccessBlockConfiguration");
  const PublicAccessBlockConfiguration = { BlockPublicAcls: true };
  await first.client.send(
    new PutPublicAccessBlockCommand({ Bucket: BUCKET, PublicAccessBlockConfiguration }),
  );
  await first.stop();
  const { client } = await aStore({ dir });
  expect((await client.send(get)).PublicAccessBlockConfiguration).toEqual({
    BlockPublicAcls: true,
    IgnorePublicAcls: false,
    BlockPublicPolicy: false,
    RestrictPublicBuckets: false,
  });
  await client.send(new DeletePublicAccessBlockCommand({ Bucket: BUCKET }));
  expect(await refusalOf(client.send(get))).toBe("NoSuchPublicAccessBlockConfiguration");
});

test("tells the region of a bucket, and nothing in us-east-1", async () => {
  const { client } = await aStore();
  const locate = (Bucket: string) => new GetBucketLocationCommand({ Bucket });
  expect((await client.send(locate(BUCKET))).LocationConstraint).toBeUndefined();
  expect(await refusalOf(client.send(locate("never-made")))).toBe("NoSuchBucket");
  const { endpoint } = await aStore({ region: "eu-west-1" });
  const abroad = aClient(endpoint, { region: "eu-west-1" });
  expect((await abroad.send(locate(BUCKET))).LocationConstraint).toBe("eu-west-1");
});

test("refuses unsupported operations and changes nothing", async () => {
  const { client } = await aStore();
  for (const command of [
    new DeleteBucketPolicyCommand({ Bucket: BUCKET }),
    new GetBucketAclCommand({ Bucket: BUCKET }),
  ])
    expect(await refusalOf(client.send(command as HeadBucketCommand))).toBe("NotImplemented");
  await client.send(new HeadBucketCommand({ Bucket: BUCKET }));
});
