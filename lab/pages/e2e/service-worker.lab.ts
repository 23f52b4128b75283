import { setTimeout as sleep } from "node:timers/promises";
import { aWidgetHarness } from "@stowage/e2e/widget/fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "@stowage/e2e/widget/fixtures/pseudo-random-bytes.js";
import { expect, test } from "vitest";

const harness = aWidgetHarness();
/** Longer than a line with progress may be silent. */
const HEALTHY_SECONDS = 45;

test(`a service worker sends a PUT that takes ${HEALTHY_SECONDS} s, and the page sees no progress`, async () => {
  const widget = await harness.open();
  await widget.page.evaluate(async () => {
    await navigator.serviceWorker.register("/forwarding-worker.js");
    await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
  });
  widget.storage.hold();
  await widget.choose(await harness.file("photo.jpg", pseudoRandomBytes("photo", 1_000_000)));
  await expect.poll(() => widget.storage.puts.length).toBe(1);
  await sleep(HEALTHY_SECONDS * 1000);
  widget.storage.release();
  await widget.waitForRows("done");
  console.log(`${widget.storage.puts.length} PUT; before: one every 30 s, for ever`);
  expect(widget.storage.puts).toHaveLength(1);
});
