import { aWidgetHarness } from "@stowage/e2e/widget/fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "@stowage/e2e/widget/fixtures/pseudo-random-bytes.js";
import { expect, test } from "vitest";

const harness = aWidgetHarness();
const FILES = 6;
const FILE_BYTES = 5_000_000;
/** Of all files together. */
const BYTES_PER_SECOND = 167_000;

test("a proxy takes 30 MB at once and forwards 167 kB a second", async () => {
  const widget = await harness.open();
  const bytesPerSecond = BYTES_PER_SECOND / FILES;
  widget.storage.nextPuts(
    ...Array.from({ length: 100 }, () => ({ kind: "forwarded-slowly", bytesPerSecond }) as const),
  );
  const files = Array.from({ length: FILES }, (_, index) =>
    harness.file(`${index}.bin`, pseudoRandomBytes(`proxy ${index}`, FILE_BYTES)),
  );
  const startedMs = performance.now();
  await widget.choose(...(await Promise.all(files)));
  await widget.page.getByText("Storage is still receiving this file").first().waitFor();
  await expect.poll(() => widget.rows("done").count(), { timeout: 900_000, interval: 1000 }).toBe(FILES);
  const seconds = (performance.now() - startedMs) / 1000;
  const bytes = widget.storage.puts.reduce((sum, put) => sum + put.bytes, 0);
  const share = bytes / (FILES * FILE_BYTES);
  console.log(
    `${share.toFixed(2)} of the sum in ${seconds.toFixed(0)} s; before: 1.67 of the sum, in 1.86 of the time`,
  );
  expect(share).toBeLessThanOrEqual(1.1);
});
