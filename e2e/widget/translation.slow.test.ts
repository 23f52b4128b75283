import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aWidgetHarness } from "./fixtures/a-widget-harness.js";
import { linesOf, ownErrors } from "./fixtures/lines-of.js";
import { translatePage } from "../fixtures/translate-page.js";
import { states } from "./fixtures/widget-states.js";

const harness = aWidgetHarness();

/** In these, each text of the widget comes, changes or goes. */
const CHANGING = [
  "uploading",
  "paused",
  "retrying",
  "done",
  "failed",
  "mixed",
  "deleting",
  "pictures",
  "form-waiting-for-uploads",
  "button-uploading-and-failed",
];

test.each(CHANGING)("a page that the browser translates shows the same: %s", async (name) => {
  const state = states.find((each) => each.name === name)!;
  const widget = await harness.open(state.options);
  await state.show(widget, harness);
  const prepare = (page: Page) => page.addInitScript(translatePage as () => void);
  const translated = await harness.open({ ...state.options, prepare });
  await state.show(translated, harness);
  expect(await translated.page.locator("font").count()).toBeGreaterThan(0);
  // Both go on meanwhile: a stalled file is sent again after 30 s.
  const difference = async () => {
    const [found, expected] = await Promise.all([linesOf(translated.root), linesOf(widget.root)]);
    return { found, expected, isSame: found.join("\n") === expected.join("\n") };
  };
  await expect.poll(difference, { timeout: 120_000 }).toMatchObject({ isSame: true });
  expect(ownErrors(translated)).toEqual(ownErrors(widget));
});

test("a page that the browser translates shows the same: the tray", async () => {
  const useTray = async (prepare?: (page: Page) => Promise<unknown>) => {
    const widget = await harness.open({ tray: true, ...(prepare && { prepare }) });
    widget.storage.hold();
    await widget.choose(await harness.file("a.txt", "hello"), await harness.file("b.txt", "hello"));
    await widget.waitForRows("uploading", 2);
    await widget.page.getByRole("button", { name: "Leave the page" }).click();
    const tray = widget.page.getByRole("region", { name: "Uploads" });
    await tray.getByText("a.txt").waitFor();
    await tray.getByRole("button", { name: "Cancel b.txt" }).click();
    widget.storage.release();
    await tray.getByText(/^1 of \d files? uploaded/).waitFor();
    const lines = await linesOf(tray);
    await widget.page.getByRole("button", { name: "Come back" }).click();
    await widget.waitForRows("done");
    return { lines, widget };
  };
  const { lines } = await useTray();
  const translated = await useTray((page) => page.addInitScript(translatePage as () => void));
  expect(await translated.widget.page.locator("font").count()).toBeGreaterThan(0);
  expect(translated.lines).toEqual(lines);
  expect(translated.widget.consoleErrors).toEqual([]);
});
