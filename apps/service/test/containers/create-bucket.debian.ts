import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ListBucketsCommand, S3Client } from "@aws-sdk/client-s3";
import { startDevStore } from "@stowage/dev-store";
import { expect, test } from "vitest";
import { readYaml } from "./read-files.js";

test("the command of compose.yaml creates the bucket, and may run again", async () => {
  const dir = await mkdtemp(join(tmpdir(), "stowage-bucket-"));
  const keys = { accessKeyId: "compose-key", secretAccessKey: "compose-secret" };
  const store = await startDevStore({ dir, ...keys, buckets: [] });
  try {
    const { services } = readYaml<{ services: { bucket: { command: [string] } } }>("compose.yaml");
    const script = services.bucket.command[0]
      .replaceAll("$$", "$")
      .replace("http://storage:9000", store.endpoint);
    const env = {
      PATH: process.env["PATH"],
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    };
    for (let run = 1; run <= 2; run++) expect(await exitOf(script, env)).toBe(0);
    const client = new S3Client({
      endpoint: store.endpoint,
      region: "us-east-1",
      forcePathStyle: true,
      credentials: keys,
    });
    const { Buckets } = await client.send(new ListBucketsCommand({}));
    expect(Buckets?.map(({ Name }) => Name)).toEqual(["stowage"]);
  } finally {
    await store.stop();
    await rm(dir, { recursive: true });
  }
});

/** Not spawnSync: the store runs in this process. */
async function exitOf(script: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  const child = spawn("sh", ["-c", script], { env, stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}
