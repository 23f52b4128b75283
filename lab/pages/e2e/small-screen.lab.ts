import { aWidgetHarness } from "@stowage/e2e/widget/fixtures/a-widget-harness.js";
import { expect, test } from "vitest";

const harness = aWidgetHarness();

/** The rules that the style sheet had. */
const BEFORE = `
  .stowage-dropzone .stowage-area.stowage-area { padding: 28px 20px 26px; }
  .stowage-dropzone .stowage-emblem.stowage-emblem { display: grid; }
  .stowage-dropzone .stowage-title.stowage-title { flex-basis: 100%; }
  .stowage .stowage-summary { inset-block-end: 0; }`;

test("three files on a screen of 320 px, with text of 200 %", async () => {
  const { page, storage, choose } = await harness.open();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  storage.hold();
  for (const name of ["Summer in Lisbon.jpg", "Report of the year.pdf", "notes.txt"])
    await choose(await harness.file(name, name));
  await page.locator(".stowage-item[data-status=uploading]").nth(2).waitFor();
  /** The height of the area, and how much of the list is visible without scrolling, in pixels. */
  const measure = () =>
    page.evaluate(() => {
      scrollTo(0, 0);
      const boxOf = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
      const [list, bar] = [boxOf(".stowage-list"), boxOf(".stowage-summary")];
      const endPx = Math.min(list.bottom, innerHeight, bar.top);
      return { areaPx: boxOf(".stowage-area").height, rowsPx: Math.max(0, endPx - list.top) };
    });
  const now = await measure();
  await page.addStyleTag({ content: BEFORE });
  const before = await measure();
  const say = ({ areaPx, rowsPx }: typeof now) =>
    `the area has ${areaPx.toFixed()} px, and ${rowsPx.toFixed()} px of the rows are visible`;
  console.log(`${say(now)}; before: ${say(before)}`);
  expect(now.areaPx).toBeLessThan(0.75 * before.areaPx);
  expect(now.rowsPx).toBeGreaterThan(before.rowsPx);
});
