import { expect, test } from "vitest";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "./fixtures/pseudo-random-bytes.js";
import type { Fault } from "./fixtures/faulty-storage.js";
import { sha256 } from "./fixtures/backend.js";

const harness = aWidgetHarness();
const FILES = 100;
/** More PUTs than such a connection needs. */
const PUTS = 2000;

/** Cuts PUTs early, before their last byte, or after the last byte when storage has sent its response. */
function faultsFor(breaks: (index: number) => boolean): Fault[] {
  const kinds: Fault[] = [
    { kind: "cut", afterBytes: 2000 },
    { kind: "response-lost" },
    { kind: "cut", afterBytes: 0 },
    { kind: "cut", afterBytes: 20_000 },
  ];
  let broken = 0;
  return Array.from({ length: PUTS }, (_, index) =>
    breaks(index) ? kinds[broken++ % kinds.length]! : { kind: "none" },
  );
}

/** The pauses before retries add up: the test takes 17 seconds alone, and 29 beside other tests. */
const TIME_LIMIT_MS = 90_000;

/** Loses every fifth response of the backend. The backend has processed the request all the same. */
async function loseResponses(widget: WidgetPage): Promise<void> {
  let calls = 0;
  await widget.page.route(/\/api\/stowage\/(request|complete)/, async (route) => {
    if (++calls % 5 !== 0) return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
}

test.each([
  ["breaks every third PUT", (index: number) => index % 3 === 2, 1.3],
  ["breaks two of three PUTs", (index: number) => index % 3 !== 2, 2],
] as const)(
  "stores each of 100 files once, complete and under its own name, over a connection that %s",
  async (_, breaks, minPutsPerFile) => {
    const widget = await harness.open();
    const files = Array.from({ length: FILES }, (_, index) => {
      const name = `file-${String(index).padStart(3, "0")}.bin`;
      // Many have the same size, some are larger than a socket buffer, and one is empty.
      const size = index === 50 ? 0 : index % 20 === 7 ? 1_500_000 + index : 3000 * (1 + (index % 10));
      return { name, bytes: pseudoRandomBytes(name, size) };
    });
    widget.storage.nextPuts(...faultsFor(breaks));
    await loseResponses(widget);
    await widget.choose(...(await Promise.all(files.map(({ name, bytes }) => harness.file(name, bytes)))));

    // A file fails after five broken attempts in a row. Then the user retries it.
    const uploadedCount = async () => {
      if (await widget.button("Retry failed").isVisible()) await widget.button("Retry failed").click();
      return widget.page.evaluate(
        () => window.widgetTest.events.filter(({ event }) => event === "uploaded").length,
      );
    };
    await expect.poll(uploadedCount, { timeout: TIME_LIMIT_MS, interval: 500 }).toBe(FILES);

    const rows = await widget.files();
    const stored = rows.filter(({ status }) => status === "stored");
    expect(stored.map(({ filename, sizeBytes, sha256 }) => [filename, sizeBytes, sha256])).toEqual(
      files.map(({ name, bytes }) => [name, bytes.length, sha256(bytes)]),
    );
    // A row whose upload was abandoned has no object in storage, so there is no second copy.
    expect(rows.filter(({ status, sha256 }) => status !== "stored" && sha256 !== null)).toEqual([]);
    const uploaded = (await widget.recorded("events")).filter(({ event }) => event === "uploaded");
    expect(uploaded.map(({ name, detail }) => `${name} ${detail}`).sort()).toEqual(
      stored.map(({ filename, path }) => `${filename} ${path}`).sort(),
    );
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    expect(await harness.backend.usageOf(widget.user)).toEqual({ files: FILES, bytes });
    expect(widget.storage.puts.length).toBeGreaterThan(FILES * minPutsPerFile);
  },
  TIME_LIMIT_MS + 20_000,
);
