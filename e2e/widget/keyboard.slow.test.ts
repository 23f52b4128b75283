import { describe, expect, test } from "vitest";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";
import { sha256 } from "./fixtures/backend.js";

const harness = aWidgetHarness();

/** Presses Tab until the button has the focus. Fails if Tab never reaches it. */
async function tabTo(widget: WidgetPage, name: string): Promise<void> {
  const target = widget.button(name);
  await target.waitFor();
  for (let press = 0; press < 20; press++) {
    if (await target.evaluate((button) => button === document.activeElement)) return;
    await widget.page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached "${name}"`);
}

const focused = (widget: WidgetPage) =>
  widget.page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent ?? null;
  });

describe("with the keyboard only", () => {
  test("a user can choose, cancel, retry and remove files without losing the focus", async () => {
    const widget = await harness.open();
    widget.storage.hold();
    const chooser = widget.page.waitForEvent("filechooser");
    await tabTo(widget, "Choose files");
    await widget.page.keyboard.press("Enter");
    await (
      await chooser
    ).setFiles([await harness.file("first.txt", "first"), await harness.file("second.txt", "second")]);
    await widget.waitForRows("uploading", 2);
    await widget.waitForAnnouncement("2 files added.");

    await tabTo(widget, "Cancel first.txt");
    await widget.page.keyboard.press("Enter");
    await widget.waitForRows("cancelled");
    await widget.waitForAnnouncement("first.txt cancelled.");
    await expect.poll(() => widget.storage.puts.filter(({ isAborted }) => isAborted).length).toBe(1);
    widget.storage.release();
    await widget.waitForRows("done");
    await widget.waitForAnnouncement("1 file uploaded.");

    await tabTo(widget, "Retry first.txt");
    await widget.page.keyboard.press("Space");
    await widget.waitForRows("done", 2);
    await widget.waitForAnnouncement("2 files uploaded.");

    await tabTo(widget, "Remove first.txt");
    await widget.page.keyboard.press("Enter");
    await expect.poll(() => widget.rows().count()).toBe(1);
    await expect.poll(() => focused(widget)).toBe("Remove second.txt");
    await widget.page.keyboard.press("Enter");
    await expect.poll(() => widget.rows().count()).toBe(0);
    await expect.poll(() => focused(widget)).toBe("Choose files");

    expect(await widget.recorded("focusLosses")).toEqual([]);
    expect(await widget.announced()).toEqual([
      "2 files added.",
      "first.txt cancelled.",
      "1 file uploaded.",
      "2 files uploaded.",
    ]);
    expect(await widget.recorded("liveRegions")).toBe(1);
    const stored = (await widget.files()).filter(({ status }) => status === "stored");
    expect(stored.map((file) => file.sha256).sort()).toEqual(
      ["first", "second"].map((bytes) => sha256(Buffer.from(bytes))).sort(),
    );
    // Before the retry, the widget asks whether the cancelled PUT arrived. The upload was cancelled, which is the 404.
    expect(widget.consoleErrors).toEqual([
      "Failed to load resource: the server responded with a status of 404 (Not Found)",
    ]);
  });

  test("Tab skips the group and the file input", async () => {
    const widget = await harness.open();
    await widget.page.keyboard.press("Tab");
    await expect.poll(() => focused(widget)).toBe("Choose files");
    await widget.page.keyboard.press("Tab");
    await expect.poll(() => widget.page.evaluate(() => document.activeElement === document.body)).toBe(true);
  });
});

test("sends each file once and logs no error in StrictMode with React's development checks", async () => {
  const widget = await harness.open({ strict: true, development: true });
  await widget.choose(await harness.file("strict.txt", "strict"));
  await widget.waitForRows("done");
  expect(await widget.files()).toMatchObject([{ filename: "strict.txt", status: "stored" }]);
  expect(widget.app.calls.filter(({ action }) => action === "request")).toHaveLength(1);
  expect(widget.storage.puts).toHaveLength(1);
  await expect
    .poll(() => widget.recorded("events"))
    .toMatchObject([{ event: "uploaded", name: "strict.txt" }]);
  expect(widget.consoleErrors).toEqual([]);
});
