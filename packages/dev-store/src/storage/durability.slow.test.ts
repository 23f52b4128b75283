import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aStoreProcess, buildBin } from "../../test/a-process.js";
import { aClient, aFolder, BUCKET, incomingCount } from "../../test/a-store.js";

let bin: Awaited<ReturnType<typeof buildBin>>;
beforeAll(async () => {
  bin = await buildBin();
});
afterAll(() => bin.remove());

const md5 = (data: Uint8Array) => createHash("md5").update(data).digest("hex");

test("keeps every acknowledged PUT and no partial file after repeated kills", async () => {
  const dir = await aFolder();
  /** For each key, the MD5 of the last body that the store acknowledged. */
  const acknowledged = new Map<string, string>();
  /** For each key, the MD5s of later bodies that the store has not acknowledged. */
  const pending = new Map<string, Set<string>>();

  for (let round = 0; round < 4; round++) {
    const store = await aStoreProcess(bin.main, { DEV_STORE_DIR: dir });
    const client = aClient(store.endpoint);
    let answers = 0;
    // Six writers: each overwrites its own key and adds new ones, from one byte to 3 MB.
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let i = 0; ; i++) {
        const Key = i % 2 === 0 ? `writer ${writer}/same` : `writer ${writer}/${round}-${i}`;
        const Body = randomBytes([1, 1000, 300_000, 3_000_000][(i + writer) % 4]!);
        const sum = md5(Body);
        pending.set(Key, (pending.get(Key) ?? new Set()).add(sum));
        try {
          await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
        } catch {
          return; // the store was killed
        }
        answers++;
        acknowledged.set(Key, sum);
        pending.set(Key, new Set());
      }
    });
    await sleep(500 + round * 137);
    // A busy machine needs longer.
    await expect.poll(() => answers, { timeout: 30_000 }).toBeGreaterThan(12);
    store.child.kill("SIGKILL");
    expect(await store.ended).toEqual([null, "SIGKILL"]);
    await Promise.all(writers);

    const again = await aStoreProcess(bin.main, { DEV_STORE_DIR: dir });
    expect(await incomingCount(dir)).toBe(0);
    const reader = aClient(again.endpoint);
    const listed = new Set<string>();
    let ContinuationToken: string | undefined;
    do {
      const page = await reader.send(
        new ListObjectsV2Command({ Bucket: BUCKET, ...(ContinuationToken ? { ContinuationToken } : {}) }),
      );
      for (const { Key } of page.Contents ?? []) listed.add(Key!);
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
    for (const Key of acknowledged.keys()) expect(listed).toContain(Key);
    for (const Key of listed) {
      const got = await reader.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
      const sum = md5(await got.Body!.transformToByteArray());
      expect(got.ETag).toBe(`"${sum}"`);
      // A PUT without an answer is stored completely or not at all.
      expect([acknowledged.get(Key), ...(pending.get(Key) ?? [])]).toContain(sum);
      acknowledged.set(Key, sum);
      pending.set(Key, new Set());
    }
    again.child.kill("SIGTERM");
    expect(await again.ended).toEqual([0, null]);
    expect(again.output()).not.toContain("dev-store:");
  }
  expect(acknowledged.size).toBeGreaterThan(20);
}, 300_000);
