import { setTimeout as sleep } from "node:timers/promises";
import { aWidgetHarness } from "@stowage/e2e/widget/fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "@stowage/e2e/widget/fixtures/pseudo-random-bytes.js";
import { expect, test } from "vitest";

/*
 * The other rows of phones are tests of `e2e/widget`: `phones` (networks that change, apps that hand over a file late, pauses),
 * `lost-files` (reloads and discarded tabs), `changed-file` and `resume`.
 */

const harness = aWidgetHarness();
const FROZEN_MINUTES = Number(process.env["FROZEN_MINUTES"] ?? 20);

test(`a page that is frozen for ${FROZEN_MINUTES} minutes while it uploads`, async () => {
  const widget = await harness.open();
  const freeze = (state: "frozen" | "active") => widget.devTools.send("Page.setWebLifecycleState", { state });
  // One is taken while the page is frozen, the connection of the other dies.
  widget.storage.nextPuts({ kind: "held" }, { kind: "stalled", afterBytes: 100_000 });
  const files = ["photo.jpg", "film.mp4"].map((name) =>
    harness.file(name, pseudoRandomBytes(name, 8_000_000)),
  );
  await widget.choose(...(await Promise.all(files)));
  await expect.poll(() => widget.storage.puts[1]?.bytes).toBeGreaterThan(100_000);
  await freeze("frozen");
  widget.storage.release();
  await sleep(FROZEN_MINUTES * 60_000);
  await freeze("active");
  const startedMs = performance.now();
  await expect.poll(() => widget.rows("done").count(), { timeout: 60_000, interval: 100 }).toBe(2);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `${widget.storage.puts.length} PUTs for two files, stored ${seconds} s after the page came back`,
  );
  expect(widget.storage.puts).toHaveLength(3);
});
