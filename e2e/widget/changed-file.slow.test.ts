import { appendFile, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { aWidgetHarness } from "./fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "./fixtures/pseudo-random-bytes.js";
import { sha256 } from "./fixtures/backend.js";

const harness = aWidgetHarness();
/** Below the size from which on the helper answers parts. */
const SIZE = 31 * 1024 * 1024;
const BYTES = pseudoRandomBytes("draft", SIZE);

/** Changes a file during its upload, before the browser has read most of it. */
async function changeDuringUpload(
  change: (path: string) => Promise<void>,
  multipartFrom: "5MiB" | "32MiB" = "32MiB",
) {
  const widget = await harness.open({ stowage: { multipartFrom } });
  const path = await harness.file("draft.bin", BYTES);
  // Chromium compares modification times in whole seconds.
  await utimes(path, 1, 1);
  widget.storage.hold();
  await widget.choose(path);
  await expect.poll(() => widget.storage.puts.length).toBeGreaterThan(0);
  await change(path);
  widget.storage.release();
  return widget;
}

const overwrite = (path: string) => writeFile(path, pseudoRandomBytes("other", SIZE));

test.each([
  ["truncated", (path: string) => truncate(path, SIZE / 4), "32MiB"],
  ["extended", (path: string) => appendFile(path, "more"), "32MiB"],
  ["overwritten with the same length", overwrite, "32MiB"],
  ["overwritten, and sent by parts,", overwrite, "5MiB"],
] as const)("fails a file that is %s during its upload", async (_, change, multipartFrom) => {
  const widget = await changeDuringUpload(change, multipartFrom);
  await widget.waitForRows("failed");
  expect(await widget.row("draft.bin").innerText()).toContain(
    "This file was changed, moved or deleted. Choose it again.",
  );
  expect(await widget.button("Retry draft.bin").count()).toBe(0);
  await expect
    .poll(() => widget.recorded("events"))
    .toMatchObject([{ event: "failed", detail: "file_unreadable" }]);
  expect(widget.app.calls.map(({ action }) => action)).not.toContain("complete");
  // The person need not remove the row first.
  await expect.poll(() => harness.backend.reservedBytesOf(widget.user)).toBe(0);
});

test("stores a file that is deleted during its upload", async () => {
  const widget = await changeDuringUpload((path) => rm(path));
  await widget.waitForRows("done");
  expect(await widget.files()).toMatchObject([{ status: "stored", sha256: sha256(BYTES) }]);
});
