import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import http from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aStoreProcess, buildBin } from "../../test/a-process.js";
import { aClient, aFolder, aKey, BUCKET, presign } from "../../test/a-store.js";
import { pathOf } from "../../test/wire.js";

let bin: Awaited<ReturnType<typeof buildBin>>;
beforeAll(async () => {
  bin = await buildBin();
});
afterAll(() => bin.remove());

const BLOCK = Buffer.alloc(1024 ** 2, "some bytes ");
const BLOCKS = 2048;

/** The peak resident memory of a process, in bytes. Only Linux has this file. */
async function peakBytes(pid: number): Promise<number> {
  return Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

// Only Linux reports the peak memory of a process.
if (process.platform === "linux")
  test("receives 2 GiB in one PUT, and copies 1 GiB of it to a part, with less than 80 MB of memory more than before", async () => {
    const store = await aStoreProcess(bin.main, { DEV_STORE_DIR: await aFolder() });
    const client = aClient(store.endpoint);
    const Key = aKey();
    const length = BLOCK.length * BLOCKS;
    const url = await presign(client, new PutObjectCommand({ Bucket: BUCKET, Key, ContentLength: length }), {
      sign: ["content-length"],
    });
    const md5 = createHash("md5");
    function* blocks() {
      for (let i = 0; i < BLOCKS; i++) {
        md5.update(BLOCK);
        yield BLOCK;
      }
    }
    const { hostname, port } = new URL(url);
    const idle = await peakBytes(store.child.pid!);
    const started = performance.now();
    const request = http.request({
      method: "PUT",
      hostname,
      port,
      path: pathOf(url),
      headers: { "Content-Length": length },
    });
    const answered = new Promise<http.IncomingMessage>((resolve) => request.once("response", resolve));
    await pipeline(Readable.from(blocks()), request);
    expect((await answered).statusCode).toBe(200);
    const seconds = (performance.now() - started) / 1000;

    const upload = { Bucket: BUCKET, Key: aKey() };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(upload));
    const half = { CopySource: `${BUCKET}/${Key}`, CopySourceRange: `bytes=${length / 2}-${length - 1}` };
    await client.send(new UploadPartCopyCommand({ ...upload, UploadId, PartNumber: 1, ...half }));

    // Node itself needs 55 MB (20) to 75 MB (24).
    const growth = (await peakBytes(store.child.pid!)) - idle;
    console.log(
      `2 GiB in ${seconds.toFixed(1)} s, at most ${(growth / 1e6).toFixed(1)} MB more than when idle`,
    );
    expect(growth).toBeLessThan(80e6);
    const head = await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key }));
    expect(head).toMatchObject({ ContentLength: length, ETag: `"${md5.digest("hex")}"` });
  }, 180_000);
