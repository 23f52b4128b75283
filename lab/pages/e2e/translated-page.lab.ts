import type { Page } from "playwright-core";
import { translatePage } from "@stowage/e2e/fixtures/translate-page.js";
import { aWidgetHarness, type WidgetPage } from "@stowage/e2e/widget/fixtures/a-widget-harness.js";
import { states } from "@stowage/e2e/widget/fixtures/widget-states.js";
import { expect, test } from "vitest";

const harness = aWidgetHarness();

const linesOf = ({ root }: WidgetPage) =>
  root.evaluate((element: HTMLElement) => element.innerText.replace(/\d[\d.,]*/g, "#").split(/\s*\n\s*/));

test("the browser translates a page with the widget", async () => {
  const differing: string[] = [];
  for (const { name, options, show } of states) {
    const prepare = (page: Page) => page.addInitScript(translatePage as () => void);
    const translated = await harness.open({ ...options, prepare });
    await show(translated, harness);
    const widget = await harness.open(options);
    await show(widget, harness);
    const lines = await linesOf(widget);
    try {
      await expect.poll(() => linesOf(translated), { timeout: 5_000 }).toEqual(lines);
    } catch {
      differing.push(name);
    }
    // How often a failed request is repeated differs between two runs.
    expect(new Set(translated.consoleErrors), name).toEqual(new Set(widget.consoleErrors));
    await translated.page.close();
    await widget.page.close();
  }
  console.log(
    `${states.length - differing.length} of ${states.length} states show the same; before: rows with a preview took the whole page away`,
  );
  expect(differing).toEqual([]);
});
