import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dragFiles } from "@stowage/e2e/fixtures/drag-files.js";
import { anExample, type Example } from "@stowage/e2e/fixtures/an-example.js";
import { saveScreenshot } from "@stowage/e2e/fixtures/save-screenshot.js";
import { aHeif } from "@stowage/service/test/fixtures/a-heif.js";
import { aPdf } from "@stowage/service/test/fixtures/a-pdf.js";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aCameraFile } from "../pictures.js";

/*
 * What a person sees who uploads the files of a phone, a camera and an office to the example app. SCREENSHOTS=… saves pictures of it.
 */
let example: Example;
beforeAll(async () => void (example = await anExample()));
afterAll(() => example?.[Symbol.asyncDispose]());

async function write(name: string, bytes: Buffer | string): Promise<string> {
  const path = join(example.folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, bytes);
  return path;
}

test("photographs of phones and cameras become pictures of the gallery", async () => {
  const { context, page } = await example.open();
  await page.getByRole("button", { name: "Ada Lovelace" }).click();
  await page.getByRole("link", { name: "Photos", exact: true }).click();
  const side = 512;
  const grid = { columns: 2, rows: 2, width: 2 * side, height: 2 * side };
  const jpeg = await sharp({ create: { width: 1200, height: 900, channels: 3, background: "#c63" } })
    .jpeg()
    .toBuffer();
  const frames = Buffer.concat([60, 120, 180].map((grey) => Buffer.alloc(640 * 480 * 3, grey)));
  const gif = await sharp(frames, { raw: { width: 640, height: 480 * 3, channels: 3, pageHeight: 480 } })
    .gif()
    .toBuffer();
  const photos = [
    await write("IMG_0001.HEIC", aHeif({ grid, tiles: ["large"] })),
    await write("DSC_0002.NEF", await aCameraFile(1620, 1080)),
    await write("moving.gif", gif),
    await write("no-end.jpg", jpeg.subarray(0, -2)),
    await write("IMG_0003.JPG", jpeg),
  ];
  await page.locator('.stowage-files[aria-busy="false"]').waitFor();
  await page.locator("input[type=file]").setInputFiles(photos);
  const loaded = page.locator('.stowage-frame[data-status="loaded"]');
  await expect.poll(() => loaded.count(), { timeout: 60_000 }).toBe(photos.length);
  await saveScreenshot(page, "walk-photos");
  await context.close();
});

test("a folder of a disk is uploaded without its rubbish, and texts open with their letters", async () => {
  const { context, page } = await example.open();
  await page.getByRole("button", { name: "Ada Lovelace" }).click();
  await page.getByRole("link", { name: "Documents", exact: true }).click();
  await write("disk/invoice.pdf", aPdf());
  await write("disk/table.csv", "Name;Ort\nJürgen;Köln\n");
  const rubbish = [
    "._invoice.pdf",
    ".DS_Store",
    "Thumbs.db",
    "~$invoice.docx",
    ".~lock.table.csv#",
    "film.mp4.crdownload",
  ];
  for (const name of rubbish) await write(`disk/${name}`, "x");
  await write("disk/__MACOSX/._table.csv", "x");
  await write("disk/Talk.key/Index.zip", "PK");
  const devTools = await context.newCDPSession(page);
  const widget = page.locator("[data-upload]");
  const drag = await dragFiles({ devTools, page }, widget, [join(example.folder, "disk")]);
  await drag.drop();
  await expect.poll(() => widget.locator('li[data-status="done"]').count(), { timeout: 30_000 }).toBe(2);
  expect(await widget.locator("li").count()).toBe(2);
  expect(await widget.innerText()).toMatch(/7 system files were left out|system files/);
  await saveScreenshot(page, "walk-documents");
  const href = await page
    .getByRole("link", { name: /table\.csv/ })
    .first()
    .getAttribute("href");
  const opened = await context.newPage();
  await opened.goto(`${new URL(href!, example.url)}&disposition=inline`);
  expect(await opened.locator("body").innerText()).toContain("Jürgen;Köln");
  await saveScreenshot(opened, "walk-csv");
  await context.close();
});
