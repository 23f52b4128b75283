import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { launchChromium } from "@stowage/chromium";
import { collectConsoleErrors } from "@stowage/chromium/console-errors";
import { aFolder, aRun, type Folder, readDemo, type Run } from "@stowage/e2e/fixtures/a-run.js";
import { axeViolations } from "@stowage/e2e/fixtures/axe.js";
import { createPhotos } from "@stowage/e2e/fixtures/photos.js";
import { saveScreenshot } from "@stowage/e2e/fixtures/save-screenshot.js";
import { startLocalRegistry } from "@stowage/local-registry";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildByShadcn, buildShadcnApp, startShadcnApp } from "./a-shadcn-app.js";

const BUILT_ITEMS = join(import.meta.dirname, "../../packages/registry/dist/r");

let folder: Folder;
let app: string;
let itemsOfShadcn: string;
beforeAll(async () => {
  folder = await aFolder();
  await using registry = await startLocalRegistry();
  const tools = { registry, folder: folder.path };
  itemsOfShadcn = join(folder.path, "r");
  await buildByShadcn(tools, itemsOfShadcn);
  app = await buildShadcnApp(tools);
}, 900_000);
afterAll(() => folder?.[Symbol.asyncDispose]());

test("the built registry is the one that shadcn build writes", async () => {
  const read = async (from: string) => {
    const texts = (await readdir(from)).toSorted().map(async (name) => {
      return [name, JSON.parse(await readFile(join(from, name), "utf8"))] as const;
    });
    return Object.fromEntries(await Promise.all(texts));
  };
  const built = await read(BUILT_ITEMS);
  expect(Object.keys(built)).toHaveLength(6);
  expect(built).toEqual(await read(itemsOfShadcn));
});

describe("the items that the shadcn command installed into a Next app", () => {
  let data: Folder;
  let stowage: Run;
  let browser: Browser;
  let server: Awaited<ReturnType<typeof startShadcnApp>>;
  let page: Page;
  let consoleErrors: string[];
  beforeEach(async () => {
    data = await aFolder();
    stowage = aRun(data.path);
    await stowage.ready;
    const { api_key, base_url } = await readDemo(data.path);
    server = await startShadcnApp(app, { STOWAGE_API_KEY: api_key, STOWAGE_URL: base_url });
    browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 800, height: 1000 } });
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
    consoleErrors = collectConsoleErrors(page, { warnings: true });
    await page.goto(server.url);
  });
  afterEach(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
    await stowage?.[Symbol.asyncDispose]();
    await data?.[Symbol.asyncDispose]();
  });

  const files = () => page.getByRole("region", { name: "Files" });
  const dropzone = () => page.getByRole("group", { name: "Upload files" }).last();
  const text = (name: string, bytes = 6) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.alloc(bytes, "a"),
  });
  const choose = (file: ReturnType<typeof text>) =>
    dropzone().locator("input[type=file]").setInputFiles(file);

  /** Checks the whole page with axe and saves a picture of it, light and dark. */
  async function look(name: string): Promise<void> {
    await setDark(false);
    await saveScreenshot(page, `shadcn-${name}-light`);
    expect(await axeViolations(page)).toEqual([]);
    await setDark(true);
    await saveScreenshot(page, `shadcn-${name}-dark`);
    expect(await axeViolations(page, "colours")).toEqual([]);
    await setDark(false);
  }

  /** Changes the theme, and waits until no colour is on its way to the other one. */
  const setDark = (isDark: boolean) =>
    page.evaluate(async (dark) => {
      document.documentElement.classList.toggle("dark", dark);
      const ending = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(ending.map(({ finished }) => finished));
    }, isDark);

  test("upload a file, list it, download it and delete it", async () => {
    await files().getByText("No files yet.").waitFor();
    await look("empty");

    await choose(text("notes.txt"));
    await dropzone().locator("li[data-status=done]").getByText("notes.txt").waitFor();
    const link = files().getByRole("link", { name: "notes.txt" });
    await link.waitFor();
    await files().getByText("6 bytes in 1 file").waitFor();
    await look("uploaded");

    const download = page.waitForEvent("download");
    await link.click();
    expect(await readFile(await (await download).path(), "utf8")).toBe("aaaaaa");

    await files().getByRole("button", { name: "Delete notes.txt" }).click();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Keep");
    await look("delete");
    await files().getByRole("button", { name: "Delete notes.txt now" }).click();
    await files().getByText("No files yet.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Files");
    expect(consoleErrors).toEqual([]);
  });

  test("say why a file is refused, and show the progress of several files", async () => {
    // From then on the page knows the limits of the route.
    await dropzone().getByText("Images, PDF, TXT, up to 10 MB").waitFor();
    await choose({ ...text("song.mp3"), mimeType: "audio/mpeg" });
    const refused = dropzone().locator("li[data-error]");
    await refused.getByText("song.mp3").waitFor();
    await page.route(/X-Amz-Signature/, () => {});
    await choose(text("one.txt"));
    await choose(text("two.txt"));
    await dropzone().getByRole("button", { name: "Cancel all" }).waitFor();
    await look("refused");
    await dropzone().getByRole("button", { name: "Cancel all" }).click();
    await expect.poll(() => dropzone().locator("li[data-status=cancelled]").count()).toBe(2);
    // The refused row says it in the colour of errors, and no other row does.
    const colours = await dropzone()
      .locator("li span:not([aria-hidden])")
      .evaluateAll((spans) => [...new Set(spans.map((span) => getComputedStyle(span).color))]);
    expect(colours).toHaveLength(2);
    expect(consoleErrors).toEqual([]);
  });

  test("show a new picture at once, and from storage after a reload", async () => {
    const [photo] = await createPhotos(page.context(), folder.path, { count: 1, width: 200, height: 200 });
    const avatar = page.getByRole("group", { name: "Ada Lovelace" });
    await avatar.getByText("AL").waitFor();
    await avatar.locator("input[type=file]").setInputFiles(photo!);
    await avatar.locator("img[src^=blob]").waitFor();
    await page.waitForResponse((response) => response.url().includes("/api/stowage/complete"));
    await page.reload();
    const stored = avatar.locator("img[src^='/api/stowage/download']");
    await stored.waitFor();
    await expect.poll(() => stored.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(200);
    await look("avatar");
    expect(consoleErrors).toEqual([]);
  });

  test("continue with an upload in the tray of another page", async () => {
    const path = join(folder.path, "film.txt");
    await writeFile(path, Buffer.alloc(2_000_000, "a"));
    let release = () => {};
    const released = new Promise<void>((resolve) => void (release = resolve));
    await page.route(/X-Amz-Signature/, async (route) => {
      await released;
      await route.continue();
    });
    const button = page.getByRole("group", { name: "Upload files" }).first();
    await button.locator("input[type=file]").setInputFiles(path);
    await button.getByRole("progressbar").waitFor();
    await page.getByRole("link", { name: "Another page" }).click();
    const tray = page.getByRole("region", { name: "Uploads" });
    await tray.getByText("film.txt").waitFor();
    await look("tray");
    release();
    await tray.getByText("film.txt").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Files" }).click();
    await files().getByRole("link", { name: "film.txt" }).waitFor();
    expect(consoleErrors).toEqual([]);
  });
});
