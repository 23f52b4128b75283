import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { anElementHarness } from "../element/fixtures/an-element-page.js";
import { aWidgetHarness } from "./fixtures/a-widget-harness.js";

const widgets = aWidgetHarness();
const elements = anElementHarness();

const SCREENS = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
].flatMap((screen) => ["100%", "200%"].map((text) => ({ ...screen, text })));

/** Opens a page with the React widget in Arabic, or with the element. */
const KINDS = {
  async react() {
    const widget = await widgets.open({ messages: "ar", dir: "rtl", lang: "ar" });
    return { ...widget, harness: widgets };
  },
  async element() {
    const element = await elements.open(`<stowage-dropzone endpoint="/api/stowage"></stowage-dropzone>`);
    return { ...element, harness: elements };
  },
};

/** What a person sees of the first row without scrolling, and how high the area above it is. */
const lookAt = (page: Page) =>
  page.evaluate(() => {
    const host = document.querySelector("stowage-dropzone")?.shadowRoot ?? document;
    const widget = host.querySelector(".stowage-dropzone")!;
    const boxOf = (selector: string) => host.querySelector(selector)!.getBoundingClientRect();
    const row = boxOf(".stowage-item");
    const bar = boxOf(".stowage-summary");
    const isBarBelow = bar.top >= row.bottom;
    return {
      rowPx: row.height,
      visiblePx: Math.min(row.bottom, innerHeight, isBarBelow ? Infinity : bar.top) - row.top,
      areaPx: boxOf(".stowage-area").height,
      overflowPx: widget.scrollWidth - widget.clientWidth,
    };
  });

describe.each(Object.entries(KINDS))("%s", (kind, open) => {
  test.each(SCREENS)(
    "makes room for the rows at $width px and $text of the text size",
    async ({ width, height, text }) => {
      const { page, storage, choose, harness } = await open();
      await page.setViewportSize({ width, height });
      await page.evaluate((size) => (document.documentElement.style.fontSize = size), text);
      const area = page.locator(".stowage-area");
      const emptyPx = (await area.boundingBox())!.height;
      storage.hold();
      for (const name of ["Summer in Lisbon.jpg", "Report of the year.pdf", "notes.txt"])
        await choose(await harness.file(name, name));
      await page.locator(".stowage-item[data-status=uploading]").nth(2).waitFor();
      await page.evaluate(() => scrollTo(0, 0));
      await saveScreenshot(page, `small-screen-${kind}-${width}-${text.slice(0, -1)}`, false);
      const { rowPx, visiblePx, areaPx, overflowPx } = await lookAt(page);
      expect(areaPx).toBeLessThan(0.75 * emptyPx);
      expect(visiblePx).toBeGreaterThanOrEqual(Math.min(rowPx, height / 4));
      expect(overflowPx).toBe(0);
    },
  );
});
