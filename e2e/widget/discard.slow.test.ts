import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeViolations } from "../fixtures/axe.js";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "./fixtures/pseudo-random-bytes.js";
import { recordPage } from "./fixtures/record-page.js";

const harness = aWidgetHarness();
const SIZE = 1_500_000;
const SMALL_SIZE = 100_000;

/** Opens the app in another tab of the same browser. */
async function anotherTab({ context, app }: WidgetPage): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await page.addInitScript(recordPage, {});
  await page.goto(app.url);
  return page;
}

const choose = (page: Page, path: string) => page.locator("input[type=file]").first().setInputFiles(path);
const row = (page: Page, status: string) => page.locator(`li.stowage-item[data-status=${status}]`);

test("a person can discard what a crashed page holds of the quota, and uploads of other tabs continue", async () => {
  const widget = await harness.open();
  await harness.backend.setQuota(widget.user, 2_000_000);
  const video = await harness.file("video.bin", pseudoRandomBytes("video", SIZE));
  const tab = await anotherTab(widget);
  widget.storage.hold();
  await widget.choose(video);
  await choose(tab, await harness.file("small.bin", pseudoRandomBytes("small", SMALL_SIZE)));
  await expect.poll(() => widget.storage.puts.length).toBe(2);
  // The renderer ends without any event in the page, so nothing can be cancelled.
  const crashed = widget.page.waitForEvent("crash");
  // The call itself is never answered.
  void widget.devTools.send("Page.crash").catch(() => undefined);
  await crashed;

  const page = await anotherTab(widget);
  await choose(page, video);
  await row(page, "failed")
    .getByText(/^Uploads that were not finished hold 1\.[56] MB of your storage\.$/)
    .waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await saveScreenshot(page, "discard-offer");
  await page.getByRole("button", { name: "Discard unfinished uploads" }).click();
  expect(await axeViolations(page)).toEqual([]);
  await saveScreenshot(page, "discard-question");
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await row(page, "uploading").waitFor();
  widget.storage.release();
  await row(page, "done").waitFor();
  await row(tab, "done").waitFor();
  expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 2, bytes: SIZE + SMALL_SIZE });
});
