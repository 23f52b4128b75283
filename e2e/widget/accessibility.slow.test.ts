import { expect, test } from "vitest";
import { axeViolations } from "../fixtures/axe.js";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { aWidgetHarness } from "./fixtures/a-widget-harness.js";
import {
  fitsIn320Pixels,
  modes,
  runningAnimations,
  duplicateNames,
  setMode,
  smallTargets,
} from "./fixtures/accessibility-checks.js";
import { states } from "./fixtures/widget-states.js";

const harness = aWidgetHarness();

test.each(states)(
  "$name: has no axe violation, unique names, targets of at least 24 px, and fits any width",
  async (state) => {
    const widget = await harness.open(state.options);
    await state.show(widget, harness);
    expect(await duplicateNames(widget)).toEqual([]);
    for (const mode of modes) {
      await setMode(mode, widget);
      await saveScreenshot(widget.page, `${state.name}-${mode}`);
      // Another colour scheme can change only the colour rules.
      const rules = mode === "dark" ? "colours" : "all";
      expect(await axeViolations(widget.page, rules), mode).toEqual([]);
      expect(await smallTargets(widget), mode).toEqual([]);
      expect(await runningAnimations(widget), mode).toEqual([]);
    }
    expect(await fitsIn320Pixels(widget)).toBe(true);
    expect(await widget.recorded("liveRegions")).toBe(1);
  },
);

test("the checks detect a low contrast, a duplicate name, a small target and a wide page", async () => {
  const widget = await harness.open();
  await widget.root.evaluate((root) => {
    root.insertAdjacentHTML(
      "beforeend",
      `<button style="all: revert; padding: 0; inline-size: 20px">Choose files</button>
       <p style="color: #aaa; background: #fff; inline-size: 500px">faint</p>`,
    );
  });
  expect(await axeViolations(widget.page)).toEqual([expect.stringMatching(/^color-contrast: <p/)]);
  expect(await duplicateNames(widget)).toEqual(['button "Choose files"']);
  expect(await smallTargets(widget)).toEqual([expect.stringMatching(/^Choose files: 20 x/)]);
  expect(await fitsIn320Pixels(widget)).toBe(false);
});
