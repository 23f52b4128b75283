import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import { createStowageClient, type StowageClient, type UploadInput } from "@stowage/server/client";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aFolder, type Folder } from "../fixtures/a-run.js";
import { storageClient } from "../fixtures/storage-client.js";
import { startFaultyStorage, type Fault, type FaultyStorage } from "../widget/fixtures/faulty-storage.js";
import { pseudoRandomBytes } from "../widget/fixtures/pseudo-random-bytes.js";
import { fetchThrough } from "./fixtures/fetch-through.mjs";

const MIB = 1024 * 1024;
const PART = 5 * MIB;
const POLL = { timeout: 90_000 };
const bytes = pseudoRandomBytes("parts", 8 * PART + 1);

let folder: Folder;
let path: string;
let access: { apiKey: string; baseUrl: string };
let storage: FaultyStorage;
let client: StowageClient;
beforeAll(async () => {
  folder = await aFolder();
  path = join(folder.path, "a.bin");
  await writeFile(path, bytes);
  access = { apiKey: (await aProject()).apiKey, baseUrl: inject("stowage").url };
});
beforeEach(async () => {
  storage = await startFaultyStorage(storageUrl());
  const retries = { firstDelayMs: 10 };
  client = createStowageClient({ ...access, retries, fetch: fetchThrough(storageUrl(), storage.url) });
});
afterEach(() => storage.stop());
afterAll(() => folder?.[Symbol.asyncDispose]());

const storageUrl = () => inject("stowage").storage["S3_ENDPOINT"]!;
const sentParts = () => storage.puts.map(({ part }) => part).toSorted((a, b) => a! - b!);
const forwards = (count: number): Fault[] => Array.from({ length: count }, () => ({ kind: "none" }));
const holds: Fault[] = Array.from({ length: 20 }, () => ({ kind: "held" }));
const digest = (chunk: Uint8Array) => createHash("sha256").update(chunk).digest("hex");

async function storedDigest(filePath: string): Promise<string> {
  const { presignedUrl } = await client.downloadUrl(filePath);
  return digest(await (await fetch(presignedUrl)).bytes());
}

async function storedNumbers(filePath: string): Promise<number[]> {
  return (await listed(client.listParts(filePath))).map(({ number }) => number);
}

async function listed<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of pages) all.push(item);
  return all;
}

async function multipartUploads(filePath: string) {
  const s3 = storageClient(inject("stowage").storage);
  onTestFinished(() => s3.destroy());
  const Bucket = inject("stowage").storage["S3_BUCKET"];
  return (await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: filePath }))).Uploads ?? [];
}

/** Uploads in another process. */
function anUploadProcess(input: object) {
  const script = fileURLToPath(new URL("fixtures/upload-process.mjs", import.meta.url));
  const settings = { ...access, storageUrl: storageUrl(), proxyUrl: storage.url, ...input };
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await exit;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const message = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
  const kill = async () => {
    child.kill("SIGKILL");
    await exit;
  };
  return { message, kill };
}

test("another process finishes what a killed one started, and sends no stored part again", async () => {
  storage.nextPuts(...forwards(4), ...holds);
  const first = anUploadProcess({ tenantId: "killed", file: path, partSize: PART });
  const filePath = (await first.message())["opened"] as string;
  await expect.poll(() => storedNumbers(filePath), POLL).toHaveLength(4);
  await first.kill();
  const stored = await storedNumbers(filePath);
  expect(await listed(client.listUploads("killed"))).toMatchObject([{ filePath, partCount: 9 }]);

  storage.nextPuts();
  storage.puts.length = 0;
  const second = anUploadProcess({ tenantId: "killed", file: path, resume: filePath });
  expect(await second.message()).toMatchObject({ stored: filePath });
  expect(sentParts()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].filter((number) => !stored.includes(number)));
  expect(await storedDigest(filePath)).toBe(digest(bytes));
  expect(await client.usage("killed")).toMatchObject({
    usedBytes: bytes.length,
    reservedBytes: 0,
    fileCount: 1,
  });

  // The file is complete: a third process finds that out.
  const third = anUploadProcess({ tenantId: "killed", file: path, partSize: PART, resume: filePath });
  expect(await third.message()).toMatchObject({ stored: filePath });
});

test("the parts of a file that was changed are replaced, not mixed with the new ones", async () => {
  const job = new AbortController();
  let filePath = "";
  storage.nextPuts(...forwards(3), ...holds);
  const upload = client.upload(
    {
      tenantId: "changed",
      file: path,
      partSize: PART,
      keepOnAbort: true,
      onOpen: (opened) => void ({ filePath } = opened),
    },
    { signal: job.signal },
  );
  upload.catch(() => {});
  await expect.poll(() => filePath && storedNumbers(filePath), POLL).toHaveLength(3);
  job.abort(new Error("restart"));
  await expect(upload).rejects.toThrow("restart");

  storage.nextPuts();
  const changed = pseudoRandomBytes("changed", bytes.length);
  const other = join(folder.path, "changed.bin");
  await writeFile(other, changed);
  await client.upload({ tenantId: "changed", file: other, resume: filePath });
  expect(await storedDigest(filePath)).toBe(digest(changed));
});

test("an upload is not reported as stored if another process replaced one of its parts", async () => {
  const input = { tenantId: "two-files", file: path, partSize: PART };
  const opened: string[] = [];
  const replacesFirstPart: typeof fetch = async (url, init) => {
    if (String(url).endsWith("/complete/")) {
      const [part] = await client.signParts(opened[0]!, [{ number: 1 }]);
      const body = new Uint8Array(PART);
      expect(await fetch(part!.presignedUrl, { method: "PUT", body })).toMatchObject({ status: 200 });
    }
    return fetch(url, init);
  };
  const upload = createStowageClient({ ...access, fetch: replacesFirstPart }).upload({
    ...input,
    onOpen: ({ filePath }) => void opened.push(filePath),
  });
  await expect(upload).rejects.toMatchObject({
    code: "upload_already_stored",
    message: expect.stringMatching(/has other bytes than this file/),
  });
  const resumed = client.upload({ ...input, resume: opened[0] });
  await expect(resumed).rejects.toMatchObject({ code: "upload_already_stored" });
});

test.each<[string, () => UploadInput]>([
  ["path", () => ({ tenantId: "faults", file: path, partSize: PART })],
  [
    "stream",
    () => ({
      tenantId: "faults",
      file: createReadStream(path),
      filename: "a.bin",
      size: bytes.length,
      partSize: PART,
    }),
  ],
])("a %s survives refusals, broken connections, lost answers and an expired URL", async (_kind, input) => {
  storage.nextPuts(
    { kind: "responds", status: 503, body: "<Error><Code>SlowDown</Code></Error>" },
    { kind: "cut", afterBytes: MIB },
    ...forwards(2),
    { kind: "response-lost" },
    { kind: "responds", status: 403, body: "<Error><Code>AccessDenied</Code></Error>" },
    ...forwards(1),
    { kind: "responds", status: 500 },
  );
  const { filePath } = await client.upload(input());
  expect(await storedDigest(filePath)).toBe(digest(bytes));
  expect(storage.puts).toHaveLength(9 + 5);
});

test("an upload beyond the quota is refused, and nothing is sent", async () => {
  await client.setQuota("full", bytes.length - 1);
  const upload = client.upload({ tenantId: "full", file: path, partSize: PART });
  await expect(upload).rejects.toMatchObject({ code: "quota_exceeded" });
  expect(storage.puts).toEqual([]);
});

test("an aborted upload leaves nothing behind", async () => {
  const job = new AbortController();
  storage.nextPuts(...forwards(2), ...holds);
  let filePath = "";
  const onOpen = (opened: { filePath: string }) => void ({ filePath } = opened);
  const upload = client.upload(
    { tenantId: "aborted", file: path, partSize: PART, onOpen },
    { signal: job.signal },
  );
  upload.catch(() => {});
  await expect.poll(() => filePath && storedNumbers(filePath), POLL).toHaveLength(2);
  expect(await client.usage("aborted")).toMatchObject({ reservedBytes: bytes.length });
  job.abort(new Error("cancelled"));
  await expect(upload).rejects.toThrow("cancelled");
  await expect
    .poll(() => client.usage("aborted"), POLL)
    .toMatchObject({ reservedBytes: 0, usedBytes: 0, fileCount: 0 });
  expect(await listed(client.listUploads("aborted"))).toEqual([]);
  await expect.poll(() => multipartUploads(filePath), POLL).toEqual([]);
});

test("the memory of an upload does not grow with its file", async () => {
  const sparse = join(folder.path, "sparse.bin");
  const peak = async (sizeBytes: number) => {
    const file = await open(sparse, "w");
    await file.truncate(sizeBytes);
    await file.close();
    const { message } = anUploadProcess({ tenantId: "memory", file: sparse, partSize: PART });
    await message();
    return (await message())["peakBytes"] as number;
  };
  const small = await peak(32 * MIB);
  const large = await peak(128 * MIB);
  await rm(sparse);
  console.log(`peak of 32 MiB: ${Math.round(small / MIB)} MiB, of 128 MiB: ${Math.round(large / MIB)} MiB`);
  expect(large - small).toBeLessThan(48 * MIB);
});
