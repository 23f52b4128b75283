import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aFolder, aRun, type Folder, readDemo, uploadText } from "../fixtures/a-run.js";
import { remainingProcesses } from "../fixtures/remaining-processes.js";

/*
 * The other tests run on the Node that runs them, in CI the oldest that is supported. This one runs every process on the newest.
 * `pnpm lab runtimes` tries all versions.
 */
const NEWEST_NODE = "26.10.0";
/** npm downloads 50 MB, which takes some seconds. A busy machine needs minutes to unpack them. */
const INSTALL_MS = 240_000;

let folder: Folder;
let node: string;
beforeAll(async () => {
  folder = await aFolder();
  await writeFile(join(folder.path, "package.json"), JSON.stringify({ private: true }));
  const options = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await promisify(execFile)("npm", ["install", ...options, `node@${NEWEST_NODE}`], {
    cwd: folder.path,
    timeout: INSTALL_MS,
  });
  node = join(folder.path, "node_modules/node/bin/node");
}, INSTALL_MS + 10_000);
afterAll(() => folder?.[Symbol.asyncDispose]());

test("starts on the newest Node, stores a file, makes a variant of an image, and stops", async () => {
  const dataDir = join(folder.path, "data");
  const command = [createRequire(import.meta.url).resolve("@stowage/local/main")];
  await using run = aRun(dataDir, {}, { executable: node, command });
  await run.ready;
  expect((await promisify(execFile)(node, ["--version"])).stdout.trim()).toBe(`v${NEWEST_NODE}`);
  const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  await uploadText(dataDir, "hello");
  const path = await storePhoto(dataDir, photo);
  const download = { file_path: path, variant: "thumb" };
  await expect
    .poll(async () => (await call(dataDir, "download", download)).status, { timeout: 60_000 })
    .toBe(200);
  const { body } = await call<{ presigned_url: string }>(dataDir, "download", download);
  const bytes = await (await fetch(body.presigned_url)).arrayBuffer();
  expect(await sharp(Buffer.from(bytes)).metadata()).toMatchObject({ width: 320, height: 320 });

  run.interrupt();
  expect(await run.exit).toBe(0);
  expect(await remainingProcesses(dataDir)).toEqual([]);
});

async function storePhoto(dataDir: string, photo: Buffer): Promise<string> {
  const request = { tenant_id: "user_1", filename: "photo.jpg", size: photo.length };
  const { body: upload } = await call<{
    presigned_url: string;
    file_path: string;
    headers: Record<string, string>;
  }>(dataDir, "upload", request);
  const put = await fetch(upload.presigned_url, {
    method: "PUT",
    headers: upload.headers,
    body: new Uint8Array(photo),
  });
  expect(put.status).toBe(200);
  const { body: file } = await call(dataDir, "complete", { file_path: upload.file_path });
  expect(file).toMatchObject({ status: "stored", size: photo.length });
  return upload.file_path;
}

async function call<Body = unknown>(dataDir: string, action: string, body: object) {
  const { base_url, api_key } = await readDemo(dataDir);
  const response = await fetch(`${base_url}/api/storage/${action}/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${api_key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Body };
}
