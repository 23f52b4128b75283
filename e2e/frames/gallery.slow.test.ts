import { createStowageClient } from "@stowage/server/client";
import type { Page } from "playwright-core";
import postgres from "postgres";
import sharp from "sharp";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { anExample, type Example } from "../fixtures/an-example.js";
import { frameBudgetMs } from "./fixtures/frame-budget.js";
import { taskTimesMs } from "./fixtures/task-times.js";

/*
 * The gallery of the example app with many files: images, and files without a thumbnail between them.
 */
const RUNS = 3;
const FILES = 1_000;
const THUMBNAILS = 200;
const FILES_PER_CALL = 100;
/** The default of the grid. */
const FILES_PER_PAGE = 50;
const UPLOADS_AT_ONCE = 8;

let example: Example;
beforeAll(async () => void (example = await anExample()));
afterAll(() => example?.[Symbol.asyncDispose]());

/** Stores photos as those of Ada's route `photos`, waits until the worker has made their variants, and adds the other files. */
async function storeFiles({ apiKey, projectRef }: Example): Promise<void> {
  const tenantId = "user_ada";
  const { url: baseUrl, databaseUrl } = inject("stowage");
  const client = createStowageClient({ apiKey, baseUrl });
  const background = { r: 90, g: 140, b: 190 };
  const file = await sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const paths: string[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < THUMBNAILS; index = next++) {
      const metadata = { stowage_route: "photos" };
      paths.push(
        (await client.upload({ file, tenantId, filename: `photo-${index}.jpg`, metadata })).filePath,
      );
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, lane));
  for (let start = 0; start < paths.length; start += FILES_PER_CALL) {
    const some = paths.slice(start, start + FILES_PER_CALL);
    const countReady = async () =>
      (await client.downloadUrls(some, { tenantId, variant: "thumb" })).downloads.length;
    await expect.poll(countReady, { timeout: 60_000, interval: 500 }).toBe(some.length);
  }
  // The page lists these files and asks for nothing else of them, so they need no object.
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`
    insert into files (project_id, tenant, path, filename, content_type, size, etag, metadata, status, url_expires_at, created_at, stored_at)
    select f.project_id, f.tenant, f.path || '-' || n || '.svg', 'drawing-' || n || '.svg', 'image/svg+xml', f.size, f.etag, f.metadata, f.status,
      f.url_expires_at, f.created_at, f.stored_at
    from files f join projects p on p.id = f.project_id, generate_series(2, ${FILES / THUMBNAILS}::integer) n
    where p.ref = ${projectRef}`;
  await sql.end();
}

/** Runs in the page: adds up the layout shifts inside of the grid. The hint of the dropzone above comes later and moves the whole grid. */
function recordShifts(): void {
  const recorded = { layoutShift: 0 };
  Object.assign(window, recorded);
  type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Shift[])
      if (sources.some(({ node }) => node?.parentElement?.closest(".stowage-files")))
        (window as unknown as typeof recorded).layoutShift += value;
  }).observe({ type: "layout-shift", buffered: true });
}

async function openGallery() {
  const { context, page, consoleErrors } = await example.open();
  const calls = { list: 0, downloads: [] as number[] };
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/api/stowage/list" && searchParams.get("route") === "photos") calls.list++;
    if (pathname === "/api/stowage/downloads")
      calls.downloads.push((request.postDataJSON() as { file_paths: string[] }).file_paths.length);
  });
  await page.getByRole("button", { name: "Ada Lovelace" }).click();
  await page.addInitScript(recordShifts);
  await page.goto(`${example.url}/photos`);
  await page.locator('.stowage-frame[data-status="loaded"]').first().waitFor();
  return { context, page, consoleErrors, calls };
}

/** Scrolls with the wheel until all files are there and the end of the page is in view. */
async function scrollThrough(page: Page): Promise<void> {
  await page.mouse.move(400, 500);
  const isAtEnd = () =>
    page.evaluate(
      (files) =>
        document.querySelectorAll(".stowage-tile[data-path]").length === files &&
        scrollY + innerHeight >= document.documentElement.scrollHeight - 1,
      FILES,
    );
  for (let step = 0; step < 400 && !(await isAtEnd()); step++) {
    await page.mouse.wheel(0, 600);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30))));
  }
  expect(await isAtEnd()).toBe(true);
}

test(
  `scrolling through ${FILES} files with ${THUMBNAILS} thumbnails moves nothing, blocks no frame, and takes few calls and elements`,
  {
    timeout: 540_000,
  },
  async () => {
    await storeFiles(example);
    // Other processes of the machine use its caches too, so the best of several runs counts.
    const longest: number[] = [];
    for (let run = 0; run < RUNS && Math.min(...longest) >= 1; run++) {
      const { context, page, consoleErrors, calls } = await openGallery();
      const budgetMs = await frameBudgetMs(context);
      const taskMs = Math.max(...(await taskTimesMs(page, () => scrollThrough(page))));
      await expect.poll(() => page.locator('.stowage-frame[data-status="loading"] img').count()).toBe(0);

      const layoutShift = await page.evaluate("layoutShift");
      const asked = calls.downloads.reduce((sum, count) => sum + count, 0);
      const elements = await page.locator(".stowage-grid *").count();
      const images = await page.locator(".stowage-grid img").count();
      console.log(
        `layout shift ${String(layoutShift)}, ${calls.list} calls for the list, ${calls.downloads.length} for ${asked} URLs, ` +
          `${elements} elements, ${images} images at the end, ${taskMs.toFixed(0)} of ${budgetMs.toFixed(0)} ms of CPU in the longest task`,
      );
      expect(layoutShift).toBe(0);
      expect(calls.list).toBe(FILES / FILES_PER_PAGE);
      // No image is asked for twice. One that leaves the view at once is not asked for.
      expect(asked).toBeGreaterThan(THUMBNAILS * 0.9);
      expect(asked).toBeLessThanOrEqual(THUMBNAILS);
      expect(calls.downloads.length).toBeLessThan(THUMBNAILS / 2);
      expect(elements).toBeLessThan(FILES * 6);
      // Those that are far away are removed.
      expect(images).toBeLessThan(THUMBNAILS / 4);
      longest.push(taskMs / budgetMs);
      expect(consoleErrors).toEqual([]);
      await context.close();
    }
    expect(Math.min(...longest), "the longest task, as a part of its budget").toBeLessThan(1);
  },
);
