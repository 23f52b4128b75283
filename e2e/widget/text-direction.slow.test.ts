import { expect, test } from "vitest";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";
import { setMode } from "./fixtures/accessibility-checks.js";

const harness = aWidgetHarness();

/** The distance in px between a row's badge and the start of its name and of its status text. */
const textOffsets = (widget: WidgetPage) =>
  widget.rows().evaluateAll((rows) =>
    rows.map((row) => {
      const isRtl = document.documentElement.dir === "rtl";
      const badge = row.querySelector(".stowage-badge")!.getBoundingClientRect();
      return [".stowage-name", ".stowage-item-status"].map((selector) => {
        const range = document.createRange();
        range.selectNodeContents(row.querySelector(selector)!);
        const text = range.getBoundingClientRect();
        return Math.round(isRtl ? badge.left - text.right : text.left - badge.right);
      });
    }),
  );

test("aligns names of both writing directions with their badges", async () => {
  const widget = await harness.open();
  await widget.choose(await harness.file("report.pdf", "1"), await harness.file("تقرير.pdf", "2"));
  await widget.waitForRows("done", 2);
  for (const mode of ["light", "rtl"] as const) {
    await setMode(mode, widget);
    expect(new Set((await textOffsets(widget)).flat()).size, mode).toBe(1);
  }
});

test("aligns the summary and the hint with the start of the line", async () => {
  const side = (widget: WidgetPage, selector: string) =>
    widget.root.locator(selector).evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
      return { left: Math.round(text.left - box.left), right: Math.round(box.right - text.right) };
    });
  const list = await harness.open();
  await list.choose(await harness.file("1.txt", "1"), await harness.file("2.txt", "2"));
  await list.waitForRows("done", 2);
  const button = await harness.open({ component: "button", props: { accept: ".pdf" } });
  for (const [widget, selector] of [
    [list, ".stowage-summary-text"],
    [button, ".stowage-hint"],
  ] as const) {
    await setMode("light", widget);
    expect((await side(widget, selector)).left).toBe(0);
    await setMode("rtl", widget);
    expect((await side(widget, selector)).right).toBe(0);
  }
});
