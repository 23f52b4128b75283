import { aWidgetHarness } from "@stowage/e2e/widget/fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "@stowage/e2e/widget/fixtures/pseudo-random-bytes.js";
import { expect, test } from "vitest";

const harness = aWidgetHarness();

test("the browser itself aborts a PUT, as on an iPhone whose screen is locked", async () => {
  const widget = await harness.open();
  await widget.page.evaluate(() => {
    const { prototype } = XMLHttpRequest;
    const send = prototype.send;
    prototype.send = function (body) {
      prototype.send = send;
      Object.assign(window, { abortByBrowser: () => this.abort() });
      send.call(this, body);
    };
  });
  widget.storage.nextPuts({ kind: "held" });
  await widget.choose(await harness.file("photo.jpg", pseudoRandomBytes("photo", 1_000_000)));
  await expect.poll(() => widget.storage.puts.length).toBe(1);
  await widget.page.evaluate(() => (window as unknown as { abortByBrowser(): void }).abortByBrowser());
  const startedMs = performance.now();
  await expect.poll(() => widget.storage.puts.length, { timeout: 70_000, interval: 20 }).toBe(2);
  const waitedMs = performance.now() - startedMs;
  await widget.waitForRows("done");
  console.log(`sent again after ${(waitedMs / 1000).toFixed(1)} s; before: after 30 to 60 s`);
  expect(waitedMs).toBeLessThan(2000);
});
