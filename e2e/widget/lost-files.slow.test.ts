import { expect, test } from "vitest";
import { axeViolations } from "../fixtures/axe.js";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "./fixtures/pseudo-random-bytes.js";
import { killTab } from "./fixtures/unfinished-uploads.js";

const harness = aWidgetHarness();
const SIZE = 1_000_000;
const lost = (names: string) =>
  `Not uploaded, because the page was closed: ${names}. Choose these files again.`;

/** Uploads two small files whose PUTs storage does not read. */
async function aPageWithUploads() {
  const widget = await harness.open();
  const paths = await Promise.all(
    ["beach.jpg", "forest.jpg"].map((name) => harness.file(name, pseudoRandomBytes(name, SIZE))),
  );
  widget.storage.hold();
  await widget.choose(...paths);
  await expect.poll(() => widget.storage.puts.length).toBe(2);
  widget.page.on("dialog", (dialog) => void dialog.accept());
  return { widget, paths };
}

const remembered = ({ page }: WidgetPage) => page.evaluate(() => sessionStorage.getItem("stowage-uploads"));

test("a reload names the files that were lost, until they are chosen again", async () => {
  const { widget, paths } = await aPageWithUploads();
  await widget.page.reload();
  const { page } = widget;
  await page.getByText(lost("beach.jpg, forest.jpg")).first().waitFor();
  await widget.waitForAnnouncement(lost("beach.jpg, forest.jpg"));
  expect(await axeViolations(page)).toEqual([]);
  await saveScreenshot(page, "lost-files");
  await page.setViewportSize({ width: 320, height: 720 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await saveScreenshot(page, "lost-files-320");
  expect(await remembered(widget)).toBeNull();

  widget.storage.release();
  await widget.choose(paths[0]!);
  await page.getByText(lost("forest.jpg")).waitFor();
  await widget.waitForRows("done");
  await widget.choose(paths[1]!);
  await widget.waitForRows("done", 2);
  expect(await page.getByText("Not uploaded").count()).toBe(0);
  expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 2, bytes: 2 * SIZE });
  await expect.poll(() => remembered(widget)).toBeNull();
});

test("a tab that the system has discarded names what it lost, and returns the quota of it", async () => {
  const { widget } = await aPageWithUploads();
  await expect.poll(() => remembered(widget)).toContain("forest.jpg");
  expect(await harness.backend.reservedBytesOf(widget.user)).toBe(2 * SIZE);
  // The renderer ends without any event in the page.
  await killTab(widget.page);
  // Playwright has given this page up. The person comes back to the tab, and the browser loads it again.
  await widget.devTools.send("Page.reload");
  const text = async () => {
    const expression = "document.body.innerText";
    const { result } = await widget.devTools.send("Runtime.evaluate", { expression });
    return String(result.value);
  };
  await expect.poll(text).toContain(lost("beach.jpg, forest.jpg"));
  expect(await harness.backend.reservedBytesOf(widget.user)).toBe(0);
});

test("another user of the tab does not see the names", async () => {
  const { widget } = await aPageWithUploads();
  await widget.context.addCookies([{ name: "test_user", value: `${widget.user}_2`, url: widget.app.url }]);
  await widget.page.reload();
  await expect.poll(() => remembered(widget)).toBeNull();
  expect(await widget.page.getByText("Not uploaded").count()).toBe(0);
});
