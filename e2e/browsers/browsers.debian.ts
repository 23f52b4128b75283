import { createHash, randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { anExample, type Example } from "../fixtures/an-example.js";
import { storageClient } from "../fixtures/storage-client.js";
import type { Fault } from "../widget/fixtures/faulty-storage.js";
import { aHeldService } from "./fixtures/a-held-service.js";
import { type BrowserPage, button } from "./fixtures/browser-page.js";
import { BROWSERS } from "./fixtures/browsers.js";

/*
 * What Stowage promises to people, in each browser: the same tests run in Chromium, Firefox and WebKit.
 */
const FILES = 20;
const MIB = 1024 * 1024;
/** Sent by parts of 6 MiB. */
const LARGE = 36 * MIB;
const PARTS = 6;
const FILE_INPUT = "//input[@type='file']";

interface DatabaseRow {
  path: string;
  filename: string;
  status: string;
  size: number | null;
}

let sql: Sql;
let storage: S3Client;
beforeAll(async () => {
  sql = postgres(inject("stowage").databaseUrl, { max: 1 });
  storage = storageClient(inject("stowage").storage);
});
afterAll(async () => {
  storage?.destroy();
  await sql?.end();
});

describe.each(BROWSERS)("in %s", (name, open) => {
  let service: Awaited<ReturnType<typeof aHeldService>>;
  let example: Example;
  let page: BrowserPage;
  beforeAll(async () => {
    service = await aHeldService();
    example = await anExample(service.url);
    page = await open();
    console.log(`${name} is ${page.version}`);
  });
  afterAll(async () => {
    await page?.[Symbol.asyncDispose]();
    await example?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
  });

  const countRows = (status: string) =>
    page.evaluate<number>(`document.querySelectorAll("li.stowage-item[data-status=${status}]").length`);
  const listedNames = async () =>
    (
      await page.evaluate<string[]>(
        `[...document.querySelectorAll(".files .name")].map((a) => a.textContent)`,
      )
    ).sort();
  const filesInDatabase = (filename?: string) => sql<DatabaseRow[]>`
    select f.path, f.filename, f.status, f.size::int from files f join projects p on p.id = f.project_id
    where p.ref = ${example.projectRef} and f.filename = ${filename ?? sql`f.filename`}`;

  test(`uploads ${FILES} files on the first visit, byte by byte, and lists them after a reload`, async () => {
    const files = await Promise.all(
      Array.from({ length: FILES }, (_, i) =>
        aFile(example, `${i} – Übersicht.txt`, Buffer.alloc((i * MIB) / 10 + 1, `file ${i}, `)),
      ),
    );
    await page.goto(example.url);
    const start = performance.now();
    await page.choose(
      FILE_INPUT,
      files.map(({ path }) => path),
    );
    await expect.poll(() => countRows("done"), { timeout: 90_000 }).toBe(FILES);
    console.log(`${name} uploaded ${FILES} files, 19 MiB, in ${Math.round(performance.now() - start)} ms`);

    const stored = await filesInDatabase();
    expect(stored.map(({ filename, status, size }) => [filename, status, size]).sort()).toEqual(
      files.map(({ name: filename, bytes }) => [filename, "stored", bytes.length]).sort(),
    );
    for (const { path, filename } of stored) {
      const bytes = files.find((file) => file.name === filename)!.bytes;
      expect(await storedSha256(path), filename).toBe(sha256(bytes));
    }
    await page.goto(example.url);
    await expect.poll(listedNames).toEqual(files.map((file) => file.name).sort());
  });

  test("deletes a file from the list", async () => {
    await page.goto(example.url);
    const { name: filename, path } = await aFile(example, "to delete.txt", Buffer.from("x"));
    await page.choose(FILE_INPUT, [path]);
    await page.click(button(`Delete ${filename}`));
    await expect.poll(listedNames).not.toContain(filename);
    expect(await filesInDatabase(filename)).toEqual([]);
  });

  test("cancels an upload whose bytes are on their way, and stores nothing of it", async () => {
    await page.goto(example.url);
    const { name: filename, path } = await aFile(example, "cancelled.bin", Buffer.alloc(5 * MIB, 7));
    service.storage.hold();
    await page.choose(FILE_INPUT, [path]);
    const heldPut = () => service.storage.puts.find((put) => put.path.endsWith(filename));
    await expect.poll(heldPut).toBeDefined();
    await expect.poll(() => countRows("uploading")).toBe(1);
    await page.click(button(`Cancel ${filename}`));
    await expect.poll(() => countRows("cancelled")).toBe(1);
    await expect.poll(() => filesInDatabase(filename)).toEqual([]);
    service.storage.release();
    await expect.poll(heldPut).toMatchObject({ isAborted: true });
    expect(await listedNames()).not.toContain(filename);
  });

  test("sends no part of a large file twice, over a pause and a reload", async () => {
    await page.goto(example.url);
    const { name: filename, path, bytes } = await aFile(example, "film.mp4", randomBytes(LARGE));
    const storedParts = () =>
      service.storage.puts
        .filter((put) => put.path.endsWith(filename) && put.status === 200)
        .map(({ part }) => part);
    const storeOnly = (count: number) => {
      const held = Array.from({ length: PARTS }, (): Fault => ({ kind: "held" }));
      service.storage.nextPuts(...Array.from({ length: count }, (): Fault => ({ kind: "none" })), ...held);
    };
    storeOnly(2);
    await page.choose(FILE_INPUT, [path]);
    await expect.poll(() => storedParts().length).toBe(2);
    await page.click(button(`Pause ${filename}`));
    await expect.poll(() => countRows("paused")).toBe(1);

    storeOnly(1);
    await page.click(button(`Resume ${filename}`));
    await expect.poll(() => storedParts().length).toBe(3);
    await page.goto(example.url);
    await expect.poll(() => countRows("resumable")).toBe(1);

    service.storage.nextPuts();
    await page.clickAndChoose(button(`Continue ${filename}`), [path]);
    await expect.poll(() => countRows("done")).toBe(1);
    expect(storedParts().sort()).toEqual(Array.from({ length: PARTS }, (_, i) => i + 1));
    const [file] = await filesInDatabase(filename);
    expect(file).toMatchObject({ status: "stored", size: LARGE });
    expect(await storedSha256(file!.path)).toBe(sha256(bytes));
  });

  test("signs in to the dashboard, which shows its first page", async () => {
    const { url, operator } = inject("stowage");
    await page.goto(url);
    await page.type("//input[@type='email']", operator.email);
    await page.type("//input[@type='password']", operator.password);
    await page.click(button("Sign in"));
    await expect.poll(() => page.evaluate<string>("document.body.innerText")).toContain("Projects");
    expect(await page.evaluate("location.pathname")).toBe("/");
  });
});

async function aFile(example: Example, name: string, bytes: Buffer) {
  await mkdir(example.folder, { recursive: true });
  const path = join(example.folder, name);
  await writeFile(path, bytes);
  return { name, bytes, path };
}

async function storedSha256(path: string): Promise<string> {
  const object = await storage.send(
    new GetObjectCommand({ Bucket: inject("stowage").storage["S3_BUCKET"], Key: path }),
  );
  return sha256(await object.Body!.transformToByteArray());
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
