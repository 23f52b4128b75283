import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { composeBuckets } from "#compose-storage.js";
import { readStorageConfig } from "#config.js";
import { signParts } from "#files/parts/sign-parts.js";
import { completeUpload } from "#files/settle/complete-upload.js";
import { openUpload } from "#files/upload/open-upload.js";
import { createObjectWriter } from "#object-store/object-writer.js";
import { aDemandingStore } from "../fixtures/a-demanding-store.js";
import { PART_BYTES, putParts } from "../fixtures/an-upload-by-parts.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import { stowage } from "../fixtures/command-line.js";

/** As Swift with its 1,000. */
const MAX_PARTS = 4;
const MIB = 1024 ** 2;
const size = 22 * MIB;

describe("storage that takes few parts", () => {
  let store: Awaited<ReturnType<typeof aDemandingStore>>;
  let world: World;
  let settings: Record<string, string>;
  beforeAll(async () => {
    store = await aDemandingStore({ maxPartNumber: MAX_PARTS });
    settings = { ...store.settings, S3_MAX_PARTS: String(MAX_PARTS) };
    world = await aWorld(null, "", null, settings);
  });
  afterAll(async () => {
    await world.close();
    await store.close();
  });
  const open = async (input: object = {}) => {
    const project = await world.project();
    const file = { tenantId: "t", filename: "a.bin", size, ...input };
    return { project, ...(await openUpload(world.deps, project, file)) };
  };

  test("gets larger parts with S3_MAX_PARTS, and the whole file", async () => {
    const { project, filePath, partSize, partCount } = await open();
    expect([partSize, partCount]).toEqual([6 * MIB, MAX_PARTS]);
    const upload = { filePath, sizeBytes: size, partSizeBytes: partSize };
    expect(await putParts(world, project, upload, [1, 2, 3, 4])).toEqual([200, 200, 200, 200]);
    expect(await completeUpload(world.deps, project, { filePath })).toMatchObject({ status: "stored", size });
  });

  test("refuses a part size of the caller that makes too many parts before any byte is sent", async () => {
    await expect(open({ partSize: PART_BYTES })).rejects.toMatchObject({
      code: "invalid_request",
      message: "part_size is too small: a file has at most 4 parts",
    });
    await expect(open({ size: 21 * 1024 ** 3 })).rejects.toMatchObject({
      code: "invalid_request",
      message: "size is too large: a file has at most 4 parts",
    });
  });

  test("refuses to begin an upload that was opened before S3_MAX_PARTS was set", async () => {
    const before = { ...world.deps, store: { ...world.deps.store, maxParts: 10_000 } };
    const project = await world.project();
    const openBefore = () =>
      openUpload(before, project, { tenantId: "t", filename: "a.bin", size, partSize: PART_BYTES });
    const sign = (filePath: string, deps = world.deps) =>
      signParts(deps, project, { filePath, parts: [{ number: 1 }] });
    const { filePath } = await openBefore();
    await expect(sign(filePath)).rejects.toMatchObject({
      code: "invalid_request",
      message: "the upload has 5 parts, and storage takes 4: cancel it and open a new one",
    });
    const { filePath: begun } = await openBefore();
    await sign(begun, before);
    expect((await sign(begun)).parts).toHaveLength(1);
  });

  test("gets what the service writes itself in as many parts", async () => {
    const options = await composeBuckets(readStorageConfig(settings)).options.private();
    const writer = createObjectWriter(options, async () => undefined);
    const bytes = randomBytes(40 * MIB);
    const read = async (range: { at: number; length: number } | null) =>
      range ? bytes.subarray(range.at, range.at + range.length) : bytes;
    await writer.write("written", { headers: {}, sizeBytes: bytes.length, read });
    writer.close();
    expect(await world.deps.store.head("written")).toMatchObject({
      sizeBytes: bytes.length,
      etag: expect.stringMatching(/-4$/),
    });
  });

  test("is found by stowage doctor, which says what to set", async () => {
    const doctor = async (S3_MAX_PARTS: string) =>
      (await stowage(["doctor"], { ...settings, S3_MAX_PARTS, DATABASE_URL: world.databaseUrl })).stdout;
    const silent = await doctor("4");
    expect(silent).toContain("their numbers may reach 4");
    expect(silent).not.toContain("S3_MAX_PARTS");
    expect(await doctor("10000")).toMatch(
      /storage takes no part with the number 10000 \(HTTP 400 InvalidArgument\)[^]*Set S3_MAX_PARTS to/,
    );
  });

  test("is found in STORAGES_FILE by stowage doctor, which names the member", async () => {
    const dir = await mkdtemp(join(tmpdir(), "stowage-storages-"));
    const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = store.settings;
    const STORAGES_FILE = join(dir, "storages.json");
    await writeFile(STORAGES_FILE, JSON.stringify({ default: "eu", eu: { endpoint, region, bucket } }));
    const { stdout } = await stowage(["doctor"], { ...store.settings, STORAGES_FILE });
    expect(stdout).toContain("Set max_parts to the largest part number");
    expect(stdout).not.toContain("S3_MAX_PARTS");
    await rm(dir, { recursive: true });
  });
});
