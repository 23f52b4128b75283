import { expect, test } from "vitest";
import { aWidgetHarness } from "./fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "./fixtures/pseudo-random-bytes.js";

const harness = aWidgetHarness();
const SIZE = 3_000_000;
const BYTES = pseudoRandomBytes("video", SIZE);

/** Starts an upload that needs more than half of the quota, so that another one has no room beside it. */
async function aHalfSentFile() {
  const widget = await harness.open();
  await harness.backend.setQuota(widget.user, SIZE + SIZE / 2);
  const path = await harness.file("video.bin", BYTES);
  widget.storage.hold();
  await widget.choose(path);
  await expect.poll(() => widget.storage.puts.length).toBe(1);
  return { widget, path };
}

test("a person who reloads the page during an upload can choose the file again", async () => {
  const { widget, path } = await aHalfSentFile();
  widget.page.once("dialog", (dialog) => void dialog.accept());
  await widget.page.reload();
  // Storage may have all bytes of the PUT already. If it stored them before the cancellation, there would be nothing to cancel.
  await expect.poll(() => widget.files(), { timeout: 90_000 }).toEqual([]);
  widget.storage.release();
  await widget.choose(path);
  await widget.waitForRows("done");
  expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 1, bytes: SIZE });
});

test("a person who cancels an upload and retries it immediately is not refused for the quota", async () => {
  const { widget } = await aHalfSentFile();
  await widget.button("Cancel video.bin").click();
  widget.storage.release();
  await widget.button("Retry video.bin").click();
  await widget.waitForRows("done");
  expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 1, bytes: SIZE });
});
