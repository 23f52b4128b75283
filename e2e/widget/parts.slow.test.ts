import { expect, test } from "vitest";
import { axeViolations } from "../fixtures/axe.js";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";
import { sha256 } from "./fixtures/backend.js";
import type { Fault } from "./fixtures/faulty-storage.js";
import { pseudoRandomBytes } from "./fixtures/pseudo-random-bytes.js";

const harness = aWidgetHarness();
const MIB = 1024 * 1024;
/** Twelve parts of 5 MiB. */
const SIZE = 60 * MIB;
const PARTS = Array.from({ length: 12 }, (_, index) => index + 1);
const film = pseudoRandomBytes("film", SIZE);

const open = () => harness.open({ stowage: { multipartFrom: "32MiB" } });

/** The parts that storage has taken, as often as it has taken them. */
const storedParts = ({ storage }: WidgetPage) =>
  storage.puts
    .filter(({ part, status }) => part !== null && status === 200)
    .map(({ part }) => part!)
    .sort((a, b) => a - b);

/** Uploads the film until storage has these many parts. The next ones wait. */
async function uploadParts(widget: WidgetPage, count: number): Promise<void> {
  const source = await harness.file("film.mp4", film);
  const forwarded: Fault[] = Array.from({ length: count }, () => ({ kind: "none" }));
  widget.storage.nextPuts(
    ...forwarded,
    ...Array.from({ length: PARTS.length }, (): Fault => ({ kind: "held" })),
  );
  await widget.choose(source);
  await expect.poll(() => storedParts(widget)).toHaveLength(count);
}

/** Bytes of the page's own memory, file contents in buffers included. */
async function pageBytes({ devTools }: WidgetPage): Promise<number> {
  await devTools.send("HeapProfiler.collectGarbage");
  const usage = (await devTools.send("Runtime.getHeapUsage")) as {
    usedSize: number;
    backingStorageSize?: number;
  };
  return usage.usedSize + (usage.backingStorageSize ?? 0);
}

test("sends a large file over a line that cuts parts, to a storage that answers 503, without holding it in memory", async () => {
  const widget = await open();
  await widget.devTools.send("HeapProfiler.enable");
  const before = await pageBytes(widget);
  widget.storage.nextPuts(
    { kind: "cut", afterBytes: 3 * MIB },
    { kind: "responds", status: 503, headers: { "retry-after": "1" } },
    { kind: "response-lost" },
    { kind: "none" },
    { kind: "cut", afterBytes: 0 },
    { kind: "held" },
  );
  await widget.choose(await harness.file("film.mp4", film));
  await expect.poll(() => new Set(storedParts(widget)).size, { timeout: 90_000 }).toBeGreaterThanOrEqual(5);
  expect((await pageBytes(widget)) - before).toBeLessThan(6 * MIB);

  // The large file still has a part in flight.
  await widget.choose(await harness.file("note.txt", "hello"));
  await widget.row("note.txt").and(widget.rows("done")).waitFor();
  expect(await widget.rows("done").count()).toBe(1);

  widget.storage.release();
  await widget.waitForRows("done", 2);
  // No part was sent again whose answer was lost.
  expect(storedParts(widget)).toEqual(PARTS);
  expect(await widget.files()).toMatchObject([
    { filename: "film.mp4", status: "stored", sha256: sha256(film) },
    { filename: "note.txt", status: "stored" },
  ]);
});

test("sends no stored part again after a pause, which keeps the focus on its button", async () => {
  const widget = await open();
  await uploadParts(widget, 3);
  await widget.button("Pause film.mp4").focus();
  await widget.page.keyboard.press("Enter");
  await widget.waitForRows("paused");
  await widget.waitForAnnouncement("film.mp4 paused.");
  expect(await axeViolations(widget.page)).toEqual([]);
  expect(await harness.backend.reservedBytesOf(widget.user)).toBe(SIZE);

  widget.storage.nextPuts();
  await widget.page.keyboard.press("Enter");
  await widget.waitForRows("done");
  expect(storedParts(widget)).toEqual(PARTS);
  expect(await widget.files()).toMatchObject([{ status: "stored", sha256: sha256(film) }]);
  expect(widget.consoleErrors).toEqual([]);
});

test("a cancel in the middle frees the quota before the backend answers it", async () => {
  const widget = await open();
  await uploadParts(widget, 2);
  expect(await harness.backend.reservedBytesOf(widget.user)).toBe(SIZE);
  await widget.button("Cancel film.mp4").click();
  // Not measured in seconds: they say more about the machine than about the widget.
  const statuses = () =>
    widget.app.calls.filter(({ action }) => action === "cancel").map(({ status }) => status);
  await expect.poll(statuses, { interval: 20 }).toEqual([200]);
  expect(await harness.backend.reservedBytesOf(widget.user)).toBe(0);
  // The row is gone as soon as the service has removed the parts.
  expect((await widget.files()).filter(({ sha256 }) => sha256 !== null)).toEqual([]);
});
