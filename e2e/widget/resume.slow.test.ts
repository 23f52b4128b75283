import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeViolations } from "../fixtures/axe.js";
import { sharedChromium } from "../fixtures/chromium.js";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { aWidgetHarness, type WidgetPage, type WidgetPageOptions } from "./fixtures/a-widget-harness.js";
import { sha256 } from "./fixtures/backend.js";
import { pseudoRandomBytes } from "./fixtures/pseudo-random-bytes.js";
import {
  anotherPage,
  continueWith,
  FOUR_PARTS_BYTES,
  killTab,
  rowIn,
  sentParts,
  uploadTwoParts,
} from "./fixtures/unfinished-uploads.js";

const harness = aWidgetHarness();
const MIB = 1024 * 1024;
const SIZE = FOUR_PARTS_BYTES;
const video = pseudoRandomBytes("video", SIZE);

const open = (options: WidgetPageOptions = {}) =>
  harness.open({ ...options, stowage: { multipartFrom: "5MiB", ...options.stowage } });

/** @returns the path of the file on disk */
async function uploadHalf(widget: WidgetPage): Promise<string> {
  const source = await harness.file("holiday.mp4", video);
  await uploadTwoParts(widget, source);
  return source;
}

const isDone = (page: Page) => page.locator("li.stowage-item[data-status=done]").waitFor();

async function expectStored(widget: WidgetPage, bytes: Uint8Array = video) {
  const files = await widget.files();
  expect(files).toMatchObject([{ status: "stored", sha256: sha256(bytes) }]);
  expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 1, bytes: bytes.length });
}

test("a reload in the middle sends no stored part again, and shows the upload to a person who can continue it", async () => {
  const widget = await open();
  const source = await uploadHalf(widget);
  await widget.page.reload();
  const row = rowIn(widget.page);
  await row.getByText("10.5 MB of 21 MB", { exact: false }).waitFor();
  await row.getByText("Choose the file again to continue.").waitFor();
  await widget.waitForAnnouncement("1 unfinished upload can be continued.");
  expect(await axeViolations(widget.page)).toEqual([]);
  await saveScreenshot(widget.page, "resume-row");
  await continueWith(widget.page, source);
  await isDone(widget.page);
  expect(await row.count()).toBe(0);
  expect(sentParts(widget)).toEqual([1, 2, 3, 4]);
  await expectStored(widget);
  expect(widget.consoleErrors).toEqual([]);
});

test("after a killed tab, a file that is added again continues its upload by itself", async () => {
  const widget = await open();
  const source = await uploadHalf(widget);
  await killTab(widget.page);
  const page = await anotherPage(widget.context, widget);
  await rowIn(page).waitFor();
  await page.locator("[data-upload] input[type=file]").first().setInputFiles([source]);
  await isDone(page);
  expect(sentParts(widget)).toEqual([1, 2, 3, 4]);
  await expectStored(widget);
});

test("the same user finishes on another device what the first one started", async () => {
  const widget = await open();
  const source = await uploadHalf(widget);
  await widget.page.close();
  const context = await (await sharedChromium()).newContext();
  await context.addCookies([{ name: "test_user", value: widget.user, url: widget.app.url }]);
  const page = await anotherPage(context, widget, { resumable: true });
  await continueWith(page, source);
  await isDone(page);
  expect(sentParts(widget)).toEqual([1, 2, 3, 4]);
  await expectStored(widget);
  await context.close();
});

test("another user of the same browser sees nothing of the upload", async () => {
  const widget = await open({ props: { resumable: true } });
  const source = await uploadHalf(widget);
  await widget.context.addCookies([{ name: "test_user", value: `${widget.user}_2`, url: widget.app.url }]);
  await widget.page.reload();
  await expect
    .poll(() => widget.app.calls.some(({ action, status }) => action === "open" && status === 200))
    .toBe(true);
  await widget.choose(source);
  await isDone(widget.page);
  expect(await rowIn(widget.page).count()).toBe(0);
  expect(await widget.files()).toMatchObject([{ status: "pending" }]);
  expect(await harness.backend.filesOf(`${widget.user}_2`)).toMatchObject([
    { status: "stored", sha256: sha256(video) },
  ]);
});

test("a different file of the same name and size never becomes part of the upload", async () => {
  const widget = await open();
  await uploadHalf(widget);
  await widget.page.reload();
  const twin = pseudoRandomBytes("twin", SIZE);
  await continueWith(widget.page, await harness.file("holiday.mp4", twin));
  await rowIn(widget.page).getByText("This is another file. Choose holiday.mp4 (21 MB).").waitFor();
  expect(await axeViolations(widget.page)).toEqual([]);
  await saveScreenshot(widget.page, "resume-different-file");
  // Only bytes between the samples of the fingerprint differ, in a part that is stored and in one that is not.
  const changed = Buffer.from(video);
  changed.fill(1, MIB, MIB + 10);
  changed.fill(1, SIZE - MIB, SIZE - MIB + 10);
  await continueWith(widget.page, await harness.file("holiday.mp4", changed));
  await isDone(widget.page);
  await expectStored(widget, changed);
});

test("Discard has given the quota back when the row disappears", async () => {
  const widget = await open();
  await uploadHalf(widget);
  await widget.page.reload();
  // Sentences that follow each other closely are announced together.
  await widget.waitForAnnouncement("1 unfinished upload can be continued.");
  await widget.page.getByRole("button", { name: "Discard holiday.mp4" }).click();
  await rowIn(widget.page).waitFor({ state: "detached" });
  expect(await harness.backend.reservedBytesOf(widget.user)).toBe(0);
  await widget.waitForAnnouncement("holiday.mp4 discarded.");
});

test("the tray shows the upload after the person has left the page with the widget", async () => {
  const widget = await open({ tray: true });
  const source = await uploadHalf(widget);
  await widget.page.reload();
  await rowIn(widget.page).waitFor();
  await widget.page.getByRole("button", { name: "Leave the page" }).click();
  const tray = widget.page.getByRole("region", { name: "Uploads" });
  await tray.getByText("holiday.mp4").waitFor();
  expect(await axeViolations(widget.page)).toEqual([]);
  await saveScreenshot(widget.page, "resume-tray");
  await continueWith(widget.page, source);
  await tray.getByText("1 of 1 file uploaded").waitFor();
  await expectStored(widget);
});
