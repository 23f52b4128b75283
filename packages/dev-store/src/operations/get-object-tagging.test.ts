import { GetObjectTaggingCommand, PutObjectCommand, PutObjectTaggingCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aStore, BUCKET, refusalOf } from "../../test/a-store.js";

test("says that an object has no tags, and refuses to set some", async () => {
  const { client } = await aStore();
  const object = { Bucket: BUCKET, Key: "a" };
  expect(await refusalOf(client.send(new GetObjectTaggingCommand(object)))).toBe("NoSuchKey");
  await client.send(new PutObjectCommand({ ...object, Body: "x" }));
  expect((await client.send(new GetObjectTaggingCommand(object))).TagSet).toEqual([]);
  const put = new PutObjectTaggingCommand({ ...object, Tagging: { TagSet: [{ Key: "a", Value: "1" }] } });
  expect(await refusalOf(client.send(put))).toBe("NotImplemented");
});
