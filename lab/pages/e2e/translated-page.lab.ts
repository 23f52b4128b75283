import type { Page } from "playwright-core";
import { translatePage } from "@stowage/e2e/fixtures/translate-page.js";
import { aWidgetHarness } from "@stowage/e2e/widget/fixtures/a-widget-harness.js";
import { linesOf, ownErrors } from "@stowage/e2e/widget/fixtures/lines-of.js";
import { states } from "@stowage/e2e/widget/fixtures/widget-states.js";
import { expect, test } from "vitest";

const harness = aWidgetHarness();

test("the browser translates a page with the widget", async () => {
  const differing: string[] = [];
  for (const { name, options, show } of states) {
    // The younger page comes to the same lines: some appear only after a while.
    const widget = await harness.open(options);
    await show(widget, harness);
    const prepare = (page: Page) => page.addInitScript(translatePage as () => void);
    const translated = await harness.open({ ...options, prepare });
    await show(translated, harness);
    const isSame = async () => {
      const [found, expected] = await Promise.all([linesOf(translated.root), linesOf(widget.root)]);
      return found.join("\n") === expected.join("\n");
    };
    try {
      await expect.poll(isSame, { timeout: 60_000 }).toBe(true);
    } catch {
      differing.push(name);
    }
    expect(ownErrors(translated), name).toEqual(ownErrors(widget));
    await translated.page.close();
    await widget.page.close();
  }
  console.log(
    `${states.length - differing.length} of ${states.length} states show the same; before: rows with a preview took the whole page away`,
  );
  expect(differing).toEqual([]);
});
