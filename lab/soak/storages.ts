import { writeFile } from "node:fs/promises";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { operatorClient } from "@stowage/service/test/fixtures/operator-client.js";
import { inject } from "vitest";

/** By the names in STORAGES_FILE. Both are on the same server. */
export const storages = { first: () => inject("servers").S3_BUCKET, second: () => "soak-second" };

export async function createSecondBucket(): Promise<void> {
  const client = operatorClient();
  await client.send(new CreateBucketCommand({ Bucket: storages.second() }));
  client.destroy();
}

/** Writes the STORAGES_FILE of a process that reaches storage at `endpoint`. */
export async function writeStorages(file: string, endpoint: string): Promise<void> {
  const region = inject("servers").S3_REGION;
  const [first, second] = [storages.first(), storages.second()].map((bucket) => ({
    endpoint,
    region,
    bucket,
  }));
  await writeFile(file, JSON.stringify({ default: "first", first, second }));
}
