import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { aHeaderProxy } from "../fixtures/a-header-proxy.js";
import { anExample, type Example } from "../fixtures/an-example.js";
import { axeViolations } from "../fixtures/axe.js";
import { createPhotos } from "../fixtures/photos.js";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { translatePage } from "../fixtures/translate-page.js";

/*
 * The gallery and the avatar of the example app, with the real service, store and worker.
 */
let example: Example;
beforeAll(async () => void (example = await anExample()));
afterAll(() => example?.[Symbol.asyncDispose]());

let context: BrowserContext;
let page: Page;
let consoleErrors: string[];
beforeEach(async () => {
  ({ context, page, consoleErrors } = await example.open());
  await page.getByRole("button", { name: "Ada Lovelace" }).click();
});
afterEach(() => context.close());

const COUNT = 6;
const loaded = () => page.locator('.stowage-frame[data-status="loaded"]').count();
const link = (name: string) => page.getByRole("link", { name, exact: true });

/** Uploads photos, and waits until the worker has made their variants. */
async function uploadPhotos(): Promise<void> {
  await page.getByRole("link", { name: "Photos", exact: true }).click();
  const photos = await createPhotos(context, example.folder, { count: COUNT, width: 900, height: 600 });
  await page.locator('.stowage-files[aria-busy="false"]').waitFor();
  // Those of the tests before.
  const before = await page.locator(".stowage-tile").count();
  await page.locator("input[type=file]").setInputFiles(photos);
  await expect.poll(loaded, { timeout: 90_000 }).toBe(before + COUNT);
}

interface ShiftSource {
  node: Node | null;
  previousRect: DOMRect;
  currentRect: DOMRect;
}

test("shows placeholders first and then small images, without moving anything, and opens a photo by keyboard", async () => {
  await uploadPhotos();
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as unknown as { sources: ShiftSource[] }[])
        for (const { node, previousRect, currentRect } of sources)
          // The hint of the dropzone above comes later and moves the whole grid, but nothing may move inside of it.
          if (node?.parentElement?.closest(".stowage-files"))
            shifts.push(
              `${(node as Element | null)?.className}: ${previousRect.x},${previousRect.y} to ${currentRect.x},${currentRect.y}`,
            );
    }).observe({ type: "layout-shift", buffered: true });
  });
  // Storage is slow: the images wait until the placeholders were seen.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const isImage = (url: URL) => url.pathname.includes("/variants/");
  await page.route(isImage, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await expect.poll(() => page.locator("img.stowage-image").count()).toBe(COUNT);
  const backgrounds = await page
    .locator(".stowage-frame")
    .evaluateAll((frames) =>
      frames.map((frame) => (frame as HTMLElement).style.backgroundImage.slice(5, 20)),
    );
  expect(backgrounds).toEqual(Array(COUNT).fill("data:image/png;"));
  expect(await loaded()).toBe(0);
  await saveScreenshot(page, "gallery-placeholders");
  release();
  await expect.poll(loaded).toBe(COUNT);
  const sizes = await page
    .locator("img.stowage-image")
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
  expect(sizes).toEqual(Array(COUNT).fill(320));
  expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
  await saveScreenshot(page, "gallery");
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axeViolations(page, "colours")).toEqual([]);
  await saveScreenshot(page, "gallery-dark");
  await page.setViewportSize({ width: 390, height: 844 });
  await saveScreenshot(page, "gallery-phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  // The photos were uploaded at the same time, so they are not in the order of their names.
  const names = await page.getByRole("link", { name: /^photo-\d\.jpg$/ }).allTextContents();
  await link(names[0] ?? "").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname.endsWith(names[1] ?? "none"));
});

test("renews a URL that storage refuses, and shows an icon for a file that was deleted meanwhile", async () => {
  await uploadPhotos();
  let refusals = 0;
  await page.route(
    (url) => url.pathname.includes("/variants/"),
    (route) => (refusals++ < 2 ? route.fulfill({ status: 403 }) : route.continue()),
  );
  let deleted = "";
  await page.route("**/api/stowage/downloads", async (route) => {
    if (deleted === "") {
      deleted = (route.request().postDataJSON() as { file_paths: string[] }).file_paths[0]!;
      const response = await fetch(new URL("/api/stowage/delete", example.url), {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Cookie: (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; "),
        },
        body: JSON.stringify({ file_path: deleted }),
        signal: AbortSignal.timeout(60_000),
      });
      expect(response.status).toBe(200);
    }
    await route.continue();
  });
  const client = await context.newCDPSession(page);
  await client.send("Network.setCacheDisabled", { cacheDisabled: true });
  await page.reload();
  await page.locator('.stowage-frame[data-status="missing"]').waitFor();
  const remaining = await page.locator(".stowage-tile").count();
  await expect.poll(loaded, { timeout: 90_000 }).toBe(remaining - 1);
  expect(refusals).toBeGreaterThan(2);
});

test("an image that is not made yet, that is none, or that is gone, and a backend or network that fails, each have an end that a person understands", async () => {
  // With the photos of the tests before, not all would be near the view.
  await page.getByRole("button", { name: "Grace Hopper" }).click();
  // The page of the user before is still there until the backend has answered.
  await page.getByRole("button", { name: "Grace Hopper", pressed: true }).waitFor();
  await uploadPhotos();
  const tiles = await page.locator(".stowage-tile").count();
  const frames = (status: string) => page.locator(`.stowage-frame[data-status="${status}"]`);
  let calls = 0;
  await page.route("**/api/stowage/downloads", async (route) => {
    calls++;
    if (calls === 1) return route.fulfill({ status: 500, json: { code: "internal_error", detail: "" } });
    if (calls > 2) return route.continue();
    const response = await route.fetch();
    const answer = (await response.json()) as { downloads: { file_path: string }[]; not_found: string[] };
    const [pending, impossible, gone, ...downloads] = answer.downloads;
    const refused = [
      { file_path: pending!.file_path, code: "variant_pending", detail: "" },
      { file_path: impossible!.file_path, code: "variant_impossible", detail: "" },
    ];
    return route.fulfill({ json: { downloads, refused, not_found: [gone!.file_path] } });
  });
  await page.reload();
  await frames("failed").waitFor();
  await expect.poll(() => frames("missing").count()).toBe(1);
  await expect.poll(loaded).toBe(tiles - 2);
  // The last one was asked for alone, and nothing more is asked for.
  await page.waitForTimeout(2_000);
  expect(calls).toBe(3);
  expect(await frames("failed").textContent()).toBe("jpg");
  expect(await axeViolations(page)).toEqual([]);
  await saveScreenshot(page, "gallery-failed");
  await page.unroute("**/api/stowage/downloads");

  await context.setOffline(true);
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  await page.getByRole("button", { name: "Change picture" }).waitFor();
  await page.getByRole("link", { name: "Photos", exact: true }).click();
  const gallery = page.getByRole("region", { name: "Gallery" });
  await gallery.getByRole("alert").getByText("The connection was lost.").waitFor();
  await saveScreenshot(page, "gallery-offline");
  await context.setOffline(false);
  await expect.poll(loaded, { timeout: 90_000 }).toBe(tiles);
  await expect.poll(() => gallery.getByRole("alert").count()).toBe(0);
  // What Chromium itself says of a failed request.
  expect(consoleErrors.filter((line) => !line.startsWith("Failed to load resource"))).toEqual([]);
});

test("an avatar shows the chosen picture at once, and its variant on the next visit", async () => {
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  const picture = page.getByRole("img", { name: "Ada Lovelace" });
  const [photo] = await createPhotos(context, example.folder, { count: 1, width: 900, height: 600 });
  await page.locator("input[type=file]").setInputFiles(photo!);
  await expect.poll(() => picture.getAttribute("src")).toMatch(/^blob:/);
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  await page.reload();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 90_000 })
    .toBe(192);
  expect(await axeViolations(page)).toEqual([]);
  await saveScreenshot(page, "avatar");
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axeViolations(page, "colours")).toEqual([]);
  await saveScreenshot(page, "avatar-dark");
  await page.setViewportSize({ width: 390, height: 844 });
  await saveScreenshot(page, "avatar-phone");
  await page.getByRole("button", { name: "Change picture" }).focus();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Change picture" }).press("Enter"),
  ]);
  expect(chooser.isMultiple()).toBe(false);
});

/** An uncompressed TIFF of one grey. No browser but Safari shows TIFF. */
function aTiff(side: number): Buffer {
  const entries = [
    [256, 4, 1, side],
    [257, 4, 1, side],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 1, 10 + 8 * 12 + 4],
    [278, 4, 1, side],
    [279, 4, 1, side * side],
  ] as const;
  const head = Buffer.alloc(10 + entries.length * 12 + 4);
  head.write("II*\0\x08\0\0\0", "latin1");
  head.writeUInt16LE(entries.length, 8);
  entries.forEach(([tag, type, count, value], index) => {
    const at = 10 + index * 12;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(count, at + 4);
    head.writeUInt32LE(value, at + 8);
  });
  return Buffer.concat([head, Buffer.alloc(side * side, 0x80)]);
}

test("an avatar is never lost: what cannot be shown is refused with a sentence, and what the browser cannot show is shown as a variant", async () => {
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  const picture = page.getByRole("img", { name: "Ada Lovelace" });
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    page.locator("input[type=file]").setInputFiles({ name, mimeType, buffer });
  const row = (name: string) => page.locator("li.stowage-item").filter({ hasText: name });
  const [photo] = await createPhotos(context, example.folder, { count: 1, width: 900, height: 600 });
  await page.locator("input[type=file]").setInputFiles(photo!);
  await expect.poll(() => picture.getAttribute("src")).toMatch(/^blob:/);
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  await page.reload();
  const widthOf = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(widthOf, { timeout: 90_000 }).toBe(192);
  const before = await picture.getAttribute("src");

  await choose("cut.png", "image/png", Buffer.from("\x89PNG\r\n\x1a\n and no more", "latin1"));
  await row("cut.png").getByText("This picture cannot be opened. Choose another one.").waitFor();
  await choose("letter.tiff", "image/tiff", Buffer.from("Dear Ada, this is no picture."));
  await row("letter.tiff").getByText("This picture cannot be opened. Choose another one.").waitFor();
  await saveScreenshot(page, "avatar-refused");
  const radiusOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).borderRadius);
  expect(await radiusOf(".stowage-avatar-face .stowage-frame")).toBe("50%");
  expect(await picture.getAttribute("src")).toBe(before);
  await page.reload();
  await expect.poll(widthOf, { timeout: 90_000 }).toBe(192);

  await choose("grey.tiff", "image/tiff", aTiff(300));
  await expect.poll(() => picture.getAttribute("src"), { timeout: 90_000 }).toContain("grey");
  await expect.poll(widthOf).toBe(192);
});

test("a page that the browser translates shows the gallery and the avatar, and each change of them", async () => {
  await page.addInitScript(translatePage as () => void);
  await page.reload();
  await page.getByRole("button", { name: "Grace Hopper" }).click();
  await page.getByRole("button", { name: "Grace Hopper", pressed: true }).waitFor();
  await page.getByRole("link", { name: "Photos", exact: true }).click();
  await page.locator('.stowage-files[aria-busy="false"]').waitFor();
  const tiles = page.locator(".stowage-tile");
  const before = await tiles.count();
  const photos = await createPhotos(context, example.folder, { count: 2, width: 900, height: 600 });
  await page.locator("input[type=file]").setInputFiles(photos);
  await expect.poll(() => tiles.count()).toBe(before + 2);
  expect(await page.locator("font").count()).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    page.locator("input[type=file]").setInputFiles({ name, mimeType, buffer });
  await choose("cut.png", "image/png", Buffer.from("\x89PNG\r\n\x1a\n and no more", "latin1"));
  const refusal = page.locator("li.stowage-item").getByText("This picture cannot be opened.");
  await refusal.waitFor();
  const picture = page.getByRole("img", { name: "Grace Hopper" });
  await page.locator("input[type=file]").setInputFiles(photos[0]!);
  await expect.poll(() => picture.getAttribute("src")).toMatch(/^blob:/);
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  await refusal.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Photos", exact: true }).click();
  await tiles.first().waitFor();
  expect(consoleErrors).toEqual([]);
});

test("an isolated page shows the gallery and the avatar", async () => {
  await page.getByRole("button", { name: "Grace Hopper" }).click();
  await uploadPhotos();
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  const [photo] = await createPhotos(context, example.folder, { count: 1, width: 900, height: 600 });
  await page.locator("input[type=file]").setInputFiles(photo!);
  let picture = page.getByRole("img", { name: "Grace Hopper" });
  await expect.poll(() => picture.getAttribute("src")).toMatch(/^blob:/);
  await page.getByRole("progressbar").waitFor({ state: "detached" });

  // Another browser context, because this one has cached the images without CORS.
  await using isolated = await aHeaderProxy(example.url, { "Cross-Origin-Embedder-Policy": "require-corp" });
  const visit = await example.open(isolated.url);
  page = visit.page;
  await page.getByRole("button", { name: "Grace Hopper" }).click();
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  picture = page.getByRole("img", { name: "Grace Hopper" });
  const widthOf = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(widthOf, { timeout: 90_000 }).toBe(192);
  await page.getByRole("link", { name: "Photos", exact: true }).click();
  // Those of the tests before too.
  await expect.poll(loaded, { timeout: 90_000 }).toBeGreaterThanOrEqual(COUNT);
  await visit.context.close();
});
