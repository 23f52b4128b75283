import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import type { BrowserContext, Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anExample } from "./fixtures/an-example.js";
import { storageClient } from "./fixtures/storage-client.js";

/*
 * The main job, end to end: a file goes from a page in Chromium to object storage and is recorded in PostgreSQL.
 */
let example: Awaited<ReturnType<typeof anExample>>;
beforeAll(async () => void (example = await anExample()));
afterAll(() => example?.stop());

let context: BrowserContext;
let page: Page;
let complaints: string[];
beforeEach(async () => {
  ({ context, page, complaints } = await example.open());
});
afterEach(() => context.close());

const signIn = (name: string) => page.getByRole("button", { name, exact: true }).click();
const choose = (files: string[]) => page.locator("input[type=file]").setInputFiles(files);
const rows = (status: string) => page.locator(`li.stowage-item[data-status=${status}]`);
const storedList = () => page.getByRole("region", { name: /^Stored/ });

/** Files are made on disk: a browser reads them there, as a person's are. */
async function aFile(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(example.folder.path, name);
  await writeFile(path, bytes);
  return path;
}

const MIB = 1024 * 1024;

/** Of bytes that no two places of it share, so that a lost or doubled piece would show. */
async function aLargeFile(name: string, sizeBytes: number): Promise<string> {
  const path = join(example.folder.path, name);
  const file = await open(path, "w");
  for (let at = 0; at < sizeBytes; at += MIB) {
    const piece = Buffer.alloc(Math.min(MIB, sizeBytes - at));
    for (let offset = 0; offset + 8 <= piece.length; offset += 8) piece.writeDoubleLE(at + offset, offset);
    await file.write(piece);
  }
  await file.close();
  return path;
}

/** Over CDP, in bytes a second: on loopback a file would be there before the first progress event. */
async function slowUploadsTo(uploadThroughput: number): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  });
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
  const sql = postgres(example.local.databaseUrl, { max: 1 });
  try {
    return await sql<Row[]>`
      select f.*, t.tenant_id from files f join tenants t on t.project_id = f.project_id and t.id = f.tenant
      where f.filename = ${filename} order by f.id`;
  } finally {
    await sql.end();
  }
}

async function storedSha256(path: string): Promise<string> {
  const { storage } = example.local;
  const client = storageClient(storage);
  const object = await client.send(new GetObjectCommand({ Bucket: storage["S3_BUCKET"], Key: path }));
  const digest = await sha256(object.Body as Readable);
  client.destroy();
  return digest;
}

/** Exactly one row names the file, and what lies in storage at its path is the file, bit for bit. */
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

describe("a file from the page to storage", () => {
  test.each<[string, string, Uint8Array, string]>([
    ["of no bytes", "empty.bin", new Uint8Array(), "application/octet-stream"],
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
    expect(complaints).toEqual([]);
  });

  test("of 100 MiB, with progress on the way", async () => {
    const source = await aLargeFile("large.bin", 100 * MIB);
    await signIn("Ada Lovelace");
    await slowUploadsTo(60 * MIB);
    await choose([source]);
    const bar = page.getByRole("progressbar", { name: /large\.bin/ });
    const seen = new Set<number>();
    await expect
      .poll(
        async () => {
          if ((await rows("done").count()) > 0) return "done";
          seen.add(Number(await bar.getAttribute("aria-valuenow", { timeout: 1000 }).catch(() => 0)));
          return "under way";
        },
        { timeout: 60_000, interval: 50 },
      )
      .toBe("done");
    expect([...seen].filter((percent) => percent > 0 && percent < 100).length).toBeGreaterThanOrEqual(2);
    await expectStored(source, "large.bin", "application/octet-stream", 100 * MIB);
  }, 90_000);

  test("and nine others at once, two of them of the same name", async () => {
    const sources = await Promise.all(
      Array.from({ length: 9 }, (_, i) =>
        aFile(`batch-${i}.txt`, Buffer.from(`file number ${i} `.repeat(1000 * (i + 1)))),
      ),
    );
    await signIn("Ada Lovelace");
    await choose([...sources, sources[0]!]);
    await expect.poll(() => rows("done").count(), { timeout: 30_000 }).toBe(10);
    for (const [i, source] of sources.entries()) {
      const found = await rowsOf(`batch-${i}.txt`);
      expect(found).toHaveLength(i === 0 ? 2 : 1);
      for (const row of found) {
        expect(row).toMatchObject({ status: "stored", content_type: "text/plain" });
        expect(await storedSha256(row.path)).toBe(await sha256(createReadStream(source)));
      }
    }
    expect(new Set((await rowsOf("batch-0.txt")).map((row) => row.path)).size).toBe(2);
    expect(complaints).toEqual([]);
  });
});

describe("the page", () => {
  test("takes a drop", async () => {
    await signIn("Ada Lovelace");
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["dropped"], "dropped.txt", { type: "text/plain" }));
      return data;
    });
    await page.locator(".stowage-dropzone").dispatchEvent("drop", { dataTransfer: transfer });
    await rows("done").waitFor();
    expect(await rowsOf("dropped.txt")).toMatchObject([{ status: "stored", size: "7" }]);
  });

  test("can be used by keyboard alone", async () => {
    const source = await aFile("by-keyboard.txt", Buffer.from("keys"));
    // Listened for from the start: the browser is told to hand its file dialog over only when somebody listens.
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

  test("shows each user their own files alone", async () => {
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

  test("never sees the key, and is answered 401 when nobody is signed in", async () => {
    await signIn("Ada Lovelace");
    const bodies: Promise<string>[] = [];
    page.on("response", (response) => bodies.push(response.text().catch(() => "")));
    await choose([await aFile("keyless.txt", Buffer.from("x"))]);
    await rows("done").waitFor();
    await page.reload();
    await storedList().getByText("keyless.txt").waitFor();
    const all = (await Promise.all(bodies)).join("\n") + (await page.content());
    expect(all).toContain("keyless.txt");
    expect(all).not.toContain(example.local.demo.api_key);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Signed out").first().waitFor();
    const status = await page.evaluate(async () => {
      const answer = await fetch("/api/stowage/request", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ filename: "a.txt" }),
      });
      return [answer.status, await answer.json()];
    });
    expect(status).toMatchObject([401, { detail: "Unauthorized" }]);
  });

  test("says what went wrong when the service refuses, and tries again when asked", async () => {
    await signIn("Ada Lovelace");
    await page.route("**/api/stowage/request", (route) => route.abort(), { times: 1 });
    await choose([await aFile("second-try.txt", Buffer.from("again"))]);
    await rows("done").waitFor({ timeout: 15_000 }); // it retries by itself
    expect(await rowsOf("second-try.txt")).toMatchObject([{ status: "stored" }]);
  });

  test("cancels an upload under way, and nothing of it is stored", async () => {
    const source = await aLargeFile("cancelled.bin", 50 * MIB);
    await signIn("Ada Lovelace");
    await slowUploadsTo(5 * MIB);
    await choose([source]);
    await rows("uploading").waitFor();
    await page.getByRole("button", { name: "Cancel cancelled.bin" }).click();
    await rows("cancelled").waitFor();
    const [row] = await rowsOf("cancelled.bin");
    expect(row).toMatchObject({ status: "pending", size: null });
    await expect(storedSha256(row!.path)).rejects.toThrow(/specified key does not exist/i);
  });
});
