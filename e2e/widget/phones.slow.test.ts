import { expect, test } from "vitest";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "./fixtures/pseudo-random-bytes.js";
import { sha256 } from "./fixtures/backend.js";

const harness = aWidgetHarness();
const MIB = 1024 * 1024;
const BYTES = pseudoRandomBytes("photo", 8 * MIB);

async function expectStoredOnce(widget: WidgetPage) {
  const stored = (await widget.files()).filter(({ status }) => status === "stored");
  expect(stored).toMatchObject([{ sha256: sha256(BYTES) }]);
  expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 1, bytes: BYTES.length });
}

/** Freezes the page, as a phone does when it is locked or another app is in front. */
async function freeze({ devTools, page }: WidgetPage, ms: number, meanwhile: () => Promise<unknown>) {
  await devTools.send("Page.setWebLifecycleState", { state: "frozen" });
  await meanwhile();
  // Timers that are due run first, and once: the page learns of its network only afterwards.
  await page.clock.fastForward(ms);
  await devTools.send("Page.setWebLifecycleState", { state: "active" });
}

const TWENTY_MINUTES_MS = 20 * 60_000;

test("a file that storage took while the page was frozen for 20 minutes is not sent again", async () => {
  const widget = await harness.open({ fakeClock: true });
  widget.storage.hold();
  await widget.choose(await harness.file("photo.jpg", BYTES));
  await expect.poll(async () => (await widget.advanceTime(10), widget.storage.puts.length)).toBe(1);
  await freeze(widget, TWENTY_MINUTES_MS, async () => {
    widget.storage.release();
    await expect.poll(() => widget.storage.puts[0]?.status).toBe(200);
  });
  await expect.poll(async () => (await widget.advanceTime(100), widget.rows("done").count())).toBe(1);
  expect(widget.storage.puts).toHaveLength(1);
  await expectStoredOnce(widget);
});

test("a file whose connection died while the page was frozen is sent again and stored once", async () => {
  const widget = await harness.open({ fakeClock: true });
  widget.storage.nextPuts({ kind: "stalled", afterBytes: MIB });
  await widget.choose(await harness.file("photo.jpg", BYTES));
  await expect
    .poll(async () => (await widget.advanceTime(10), widget.storage.puts[0]?.bytes))
    .toBeGreaterThanOrEqual(MIB);
  await freeze(widget, TWENTY_MINUTES_MS, async () => widget.storage.cut());
  await expect
    .poll(async () => (await widget.advanceTime(100), widget.rows("done").count()), { timeout: 90_000 })
    .toBe(1);
  expect(widget.storage.puts).toHaveLength(2);
  await expectStoredOnce(widget);
});

test.each([
  ["says that it is online again", () => void dispatchEvent(new Event("online"))],
  [
    "moves from Wi-Fi to a mobile network",
    () => {
      const { connection } = navigator as unknown as { connection: EventTarget };
      Object.defineProperty(connection, "type", { value: "cellular" });
      connection.dispatchEvent(new Event("change"));
    },
  ],
])("a silent connection is given up after 10 s if the phone %s", async (_, changeNetwork) => {
  const widget = await harness.open({ fakeClock: true });
  widget.storage.nextPuts({ kind: "stalled", afterBytes: MIB });
  await widget.choose(await harness.file("photo.jpg", BYTES));
  // The browser goes on until the buffers of the connection are full.
  let seen = -1;
  const isSilent = async () => {
    await widget.advanceTime(10);
    const { bytes = 0 } = widget.storage.puts[0] ?? {};
    const text = await widget.row("photo.jpg").innerText();
    const isSame = bytes > 0 && seen === text.length;
    seen = text.length;
    return isSame;
  };
  await expect.poll(isSilent, { interval: 500 }).toBe(true);
  await widget.page.evaluate(changeNetwork);
  await widget.advanceTime(12_000);
  await expect
    .poll(async () => (await widget.advanceTime(100), widget.rows("done").count()), { timeout: 90_000 })
    .toBe(1);
  expect(widget.storage.puts).toMatchObject([{ status: 0 }, { status: 200 }]);
  await expectStoredOnce(widget);
});

test("a file that another app hands over only when it is asked again is sent", async () => {
  const widget = await harness.open();
  await widget.page.evaluate(() => {
    const { prototype } = Blob;
    const read = prototype.arrayBuffer;
    let failures = 1;
    prototype.arrayBuffer = function () {
      return failures-- > 0 ? Promise.reject(new DOMException("", "NotReadableError")) : read.call(this);
    };
  });
  await widget.choose(await harness.file("photo.jpg", BYTES));
  await widget.waitForRows("done");
  await expectStoredOnce(widget);
});

test("a paused file that is not sent by parts says that it starts again from the beginning", async () => {
  const widget = await harness.open();
  widget.storage.nextPuts({ kind: "stalled", afterBytes: MIB });
  await widget.choose(await harness.file("photo.jpg", BYTES));
  // Storage has bytes before the page sees that some were sent.
  await widget.row("photo.jpg").locator("[aria-valuenow]:not([aria-valuenow='0'])").waitFor();
  await widget.button("Pause photo.jpg").click();
  await widget.row("photo.jpg").getByText("Paused · Starts again from the beginning").waitFor();
  await saveScreenshot(widget.page, "paused-from-start");
  await widget.button("Resume photo.jpg").click();
  await widget.waitForRows("done");
  await expectStoredOnce(widget);
});

test("on a slow line, a file of 8 MiB is sent by parts, and a pause keeps what storage has", async () => {
  const widget = await harness.open({ fakeClock: true });
  widget.storage.hold();
  await widget.choose(await harness.file("note.jpg", pseudoRandomBytes("note", 200_000)));
  await expect.poll(async () => (await widget.advanceTime(10), widget.storage.puts.length)).toBe(1);
  // The page sees this PUT take 20 s.
  await widget.advanceTime(20_000);
  widget.storage.release();
  await expect.poll(async () => (await widget.advanceTime(100), widget.rows("done").count())).toBe(1);

  widget.storage.nextPuts({ kind: "none" }, { kind: "held" });
  await widget.choose(await harness.file("photo.jpg", BYTES));
  const taken = () => widget.storage.puts.filter(({ part, status }) => part !== null && status === 200);
  await expect.poll(async () => (await widget.advanceTime(100), taken().length)).toBe(1);
  await widget.button("Pause photo.jpg").click();
  await widget.advanceTime(500);
  const [stored] = taken();
  const text = await widget.row("photo.jpg").innerText();
  expect(text).toMatch(
    stored!.part === 1 ? /Paused · [5-8]\.\d MB of 8\.4 MB/ : /Paused · [3-8]\.\d MB of 8\.4 MB/,
  );
  await widget.button("Resume photo.jpg").click();
  await expect.poll(async () => (await widget.advanceTime(100), widget.rows("done").count())).toBe(2);
  expect(
    taken()
      .map(({ part }) => part)
      .sort(),
  ).toEqual([1, 2]);
  expect((await widget.files()).find(({ filename }) => filename === "photo.jpg")).toMatchObject({
    status: "stored",
    sha256: sha256(BYTES),
  });
});
