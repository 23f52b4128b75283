import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import type { BrowserContext, Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { anExample, type Example } from "../fixtures/an-example.js";
import { storageClient } from "../fixtures/storage-client.js";

/*
 * The main purpose, end to end: a page in Chromium uploads a file to object storage, and PostgreSQL records it.
 */
let example: Example;
beforeAll(async () => void (example = await anExample()));
afterAll(() => example?.[Symbol.asyncDispose]());

let context: BrowserContext;
let page: Page;
let consoleErrors: string[];
beforeEach(async () => {
  ({ context, page, consoleErrors } = await example.open());
});
afterEach(() => context.close());

const signIn = (name: string) => page.getByRole("button", { name, exact: true }).click();
const choose = (files: string[]) => page.locator("input[type=file]").setInputFiles(files);
const rows = (status: string) => page.locator(`li.stowage-item[data-status=${status}]`);
const storedList = () => page.getByRole("region", { name: /^Stored/ });

/** Creates a file on disk, because a browser reads chosen files from the disk. */
async function aFile(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(example.folder, name);
  await writeFile(path, bytes);
  return path;
}

const MIB = 1024 * 1024;

/** Creates a file whose bytes differ at each position, so that a lost or duplicated part changes the checksum. */
async function aLargeFile(name: string, sizeBytes: number): Promise<string> {
  const path = join(example.folder, name);
  const file = await open(path, "w");
  for (let start = 0; start < sizeBytes; start += MIB) {
    const part = Buffer.alloc(Math.min(MIB, sizeBytes - start));
    for (let offset = 0; offset + 8 <= part.length; offset += 8) part.writeDoubleLE(start + offset, offset);
    await file.write(part);
  }
  await file.close();
  return path;
}

/** Limits the upload speed, because a local upload would end before the first progress event. */
async function limitUploadSpeed(bytesPerSecond: number): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

/** Runs in the page. @returns a list that gets each value of a file's progress bar, also those that a test is too slow to see */
function recordPercentages(filename: string): number[] {
  const percentages: number[] = [];
  new MutationObserver(() => {
    const bar = document.querySelector(`[role=progressbar][aria-label*="${filename}"]`);
    if (bar) percentages.push(Number(bar.getAttribute("aria-valuenow")));
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["aria-valuenow"] });
  return percentages;
}

async function sha256(stream: Readable): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(stream, hash);
  return hash.digest("hex");
}

interface Row {
  path: string;
  filename: string;
  content_type: string;
  size: string;
  status: string;
  tenant_id: string;
}

async function rowsOf(filename: string): Promise<Row[]> {
  const sql = postgres(inject("stowage").databaseUrl, { max: 1 });
  try {
    return await sql<Row[]>`
      select f.*, t.tenant_id from files f join tenants t on t.project_id = f.project_id and t.id = f.tenant
      join projects p on p.id = f.project_id
      where p.ref = ${example.projectRef} and f.filename = ${filename} order by f.id`;
  } finally {
    await sql.end();
  }
}

async function storedSha256(path: string): Promise<string> {
  const { storage } = inject("stowage");
  const client = storageClient(storage);
  const object = await client.send(new GetObjectCommand({ Bucket: storage["S3_BUCKET"], Key: path }));
  const digest = await sha256(object.Body as Readable);
  client.destroy();
  return digest;
}

/** Expects exactly one row with the name, and an object in storage with the bytes of the source file. */
async function expectStored(
  source: string,
  filename: string,
  contentType: string,
  sizeBytes: number,
): Promise<void> {
  const found = await rowsOf(filename);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    filename,
    content_type: contentType,
    size: String(sizeBytes),
    status: "stored",
    tenant_id: "user_ada",
  });
  expect(await storedSha256(found[0]!.path)).toBe(await sha256(createReadStream(source)));
}

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("uploads a file", () => {
  test.each<[string, string, Uint8Array, string]>([
    ["that is empty", "empty.bin", new Uint8Array(), "application/octet-stream"],
    ["of one byte", "one.txt", Buffer.from("1"), "text/plain"],
    ["that is a PNG", "pixel.png", PNG, "image/png"],
    [
      "with a name in Japanese, spaces and an emoji",
      "見積書 (最終版) 🙂 です.pdf",
      Buffer.from("%PDF-1.7 …"),
      "application/pdf",
    ],
  ])("%s", async (_what, name, bytes, contentType) => {
    const source = await aFile(name, bytes);
    await signIn("Ada Lovelace");
    await choose([source]);
    await rows("done").waitFor();
    await storedList().getByText(name, { exact: true }).waitFor();
    await expectStored(source, name, contentType, bytes.length);
    expect(consoleErrors).toEqual([]);
  });

  test("of 100 MiB and shows its progress", async () => {
    const source = await aLargeFile("large.bin", 100 * MIB);
    await signIn("Ada Lovelace");
    await limitUploadSpeed(60 * MIB);
    const percentages = await page.evaluateHandle(recordPercentages, "large.bin");
    await choose([source]);
    await rows("done").waitFor({ timeout: 60_000 });
    const shown = new Set(await percentages.jsonValue());
    expect([...shown].filter((percent) => percent > 0 && percent < 100).length).toBeGreaterThanOrEqual(2);
    await expectStored(source, "large.bin", "application/octet-stream", 100 * MIB);
  });

  test("together with nine others, and two have the same name", async () => {
    const sources = await Promise.all(
      Array.from({ length: 9 }, (_, i) =>
        aFile(`batch-${i}.txt`, Buffer.from(`file number ${i} `.repeat(1000 * (i + 1)))),
      ),
    );
    await signIn("Ada Lovelace");
    await choose([...sources, sources[0]!]);
    await expect.poll(() => rows("done").count(), { timeout: 90_000 }).toBe(10);
    for (const [i, source] of sources.entries()) {
      const found = await rowsOf(`batch-${i}.txt`);
      expect(found).toHaveLength(i === 0 ? 2 : 1);
      for (const row of found) {
        expect(row).toMatchObject({ status: "stored", content_type: "text/plain" });
        expect(await storedSha256(row.path)).toBe(await sha256(createReadStream(source)));
      }
    }
    expect(new Set((await rowsOf("batch-0.txt")).map((row) => row.path)).size).toBe(2);
    expect(consoleErrors).toEqual([]);
  });
});

describe("the example page", () => {
  test("accepts a drop on the first visit, and says that it is a demo", async () => {
    await page.getByText("You are signed in as Ada Lovelace, without a password.").waitFor();
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["dropped"], "dropped.txt", { type: "text/plain" }));
      return data;
    });
    await page.locator(".stowage-dropzone").dispatchEvent("drop", { dataTransfer: transfer });
    await rows("done").waitFor();
    expect(await rowsOf("dropped.txt")).toMatchObject([{ status: "stored", size: "7" }]);
  });

  test("works with the keyboard only", async () => {
    const source = await aFile("by-keyboard.txt", Buffer.from("keys"));
    // Playwright intercepts the file dialog only while there is a listener, so it is added first.
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Ada Lovelace" }).focus();
    await page.keyboard.press("Enter");
    const trigger = page.getByRole("button", { name: "Choose files" });
    await trigger.waitFor();
    for (let i = 0; i < 10 && !(await trigger.evaluate((button) => button === document.activeElement)); i++) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await (await chooser).setFiles([source]);
    await rows("done").waitFor();
    expect(await rowsOf("by-keyboard.txt")).toMatchObject([{ status: "stored" }]);
  });

  test("shows each user only their own files", async () => {
    const source = await aFile("of-ada.txt", Buffer.from("ada's"));
    await signIn("Ada Lovelace");
    await choose([source]);
    await storedList().getByText("of-ada.txt").waitFor();
    await signIn("Grace Hopper");
    await storedList().getByText("Nothing yet.").waitFor();
    expect(await page.getByText("of-ada.txt").count()).toBe(0);
    await signIn("Ada Lovelace");
    await storedList().getByText("of-ada.txt").waitFor();
  });

  test("lists documents page by page, says how much is stored, and downloads and deletes them", async () => {
    const names = Array.from({ length: 51 }, (_, index) => `page-${index}.txt`);
    const sources = await Promise.all(names.map((name) => aFile(name, Buffer.from(name))));
    await signIn("Grace Hopper");
    // The page of the user before is still there until the backend has answered.
    await page.getByRole("button", { name: "Grace Hopper", pressed: true }).waitFor();
    await choose(sources);
    await expect.poll(() => rows("done").count(), { timeout: 90_000 }).toBe(51);
    await page.reload();
    const items = storedList().getByRole("listitem");
    await expect.poll(() => items.count()).toBe(50);
    const more = storedList().getByRole("button", { name: "Show older documents" });
    await more.click();
    await expect.poll(() => items.count()).toBe(51);
    await expect.poll(() => more.count()).toBe(0);
    const totalBytes = names.join("").length;
    await storedList()
      .getByRole("heading", { name: `Stored ${totalBytes} bytes` })
      .waitFor();

    const download = page.waitForEvent("download");
    await storedList().getByRole("link", { name: names[0]!, exact: true }).click();
    expect((await download).suggestedFilename()).toBe(names[0]);
    page.once("dialog", (dialog) => void dialog.accept());
    await storedList()
      .getByRole("button", { name: `Delete ${names[0]}`, exact: true })
      .click();
    await expect.poll(() => items.count()).toBe(50);
    expect(await rowsOf(names[0]!)).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  test("stays on the page when a file is dropped beside the dropzone, and says where to drop", async () => {
    const url = page.url();
    await signIn("Ada Lovelace");
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["beside"], "beside.txt", { type: "text/plain" }));
      return data;
    });
    await page.getByRole("heading", { level: 1 }).dispatchEvent("drop", { dataTransfer: transfer });
    await page.locator("[data-notice]", { hasText: "Drop the files inside this area." }).waitFor();
    expect(page.url()).toBe(url);
  });

  test("never receives the API key, and gets 401 when signed out", async () => {
    await signIn("Ada Lovelace");
    const bodies: Promise<string>[] = [];
    page.on("response", (response) => bodies.push(response.text().catch(() => "")));
    await choose([await aFile("keyless.txt", Buffer.from("x"))]);
    await rows("done").waitFor();
    await page.reload();
    await storedList().getByText("keyless.txt").waitFor();
    const all = (await Promise.all(bodies)).join("\n") + (await page.content());
    expect(all).toContain("keyless.txt");
    expect(all).not.toContain(example.apiKey);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Signed out").first().waitFor();
    const status = await page.evaluate(async () => {
      const response = await fetch("/api/stowage/request", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ filename: "a.txt" }),
      });
      return [response.status, await response.json()];
    });
    expect(status).toMatchObject([401, { detail: "Unauthorized" }]);
  });

  test("retries by itself after a failed request", async () => {
    await signIn("Ada Lovelace");
    await page.route("**/api/stowage/request", (route) => route.abort(), { times: 1 });
    await choose([await aFile("second-try.txt", Buffer.from("again"))]);
    await rows("done").waitFor({ timeout: 90_000 });
    expect(await rowsOf("second-try.txt")).toMatchObject([{ status: "stored" }]);
  });

  test("cancels a running upload and stores nothing of it", async () => {
    const source = await aLargeFile("cancelled.bin", 50 * MIB);
    await signIn("Ada Lovelace");
    // So slow that the upload cannot end before the cancel.
    await limitUploadSpeed(MIB / 2);
    await choose([source]);
    await rows("uploading").waitFor();
    const [row] = await rowsOf("cancelled.bin");
    expect(row).toMatchObject({ status: "pending", size: null });
    await page.getByRole("button", { name: "Cancel cancelled.bin" }).click();
    await rows("cancelled").waitFor();
    await expect.poll(() => rowsOf("cancelled.bin")).toEqual([]);
    await expect(storedSha256(row!.path)).rejects.toThrow(/specified key does not exist/i);
  });
});
