import { expect, test } from "vitest";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";

const harness = aWidgetHarness();

/** Advances the page's clock in short steps until this is the latest of the announced texts. */
async function advanceTimeUntilAnnounced(widget: WidgetPage, text: string): Promise<void> {
  const latest = async () => {
    await widget.advanceTime(20);
    return (await widget.announced()).at(-1);
  };
  await expect.poll(latest).toBe(text);
}

test("announces progress by quarters instead of each file", async () => {
  const widget = await harness.open({ fakeClock: true, props: { concurrency: 1 } });
  widget.app.hold("request");
  const names = ["1.bin", "2.bin", "3.bin", "4.bin", "5.bin", "6.bin", "7.bin", "8.bin"];
  await widget.choose(...(await Promise.all(names.map((name) => harness.file(name, "same size")))));
  await advanceTimeUntilAnnounced(widget, "8 files added.");
  // One file, an eighth of all bytes, completes every six seconds.
  for (let done = 1; done <= names.length; done++) {
    await expect.poll(() => widget.app.calls.filter((call) => call.action === "request").length).toBe(done);
    widget.app.releaseWaiting("request");
    await expect
      .poll(async () => {
        await widget.advanceTime(20);
        return widget.rows("done").count();
      })
      .toBe(done);
    await widget.advanceTime(6000);
  }
  await advanceTimeUntilAnnounced(widget, "8 files uploaded.");
  expect(await widget.recorded("announcements")).toEqual([
    "8 files added.",
    "25% uploaded.",
    "50% uploaded.",
    "75% uploaded.",
    "8 files uploaded.",
  ]);
});

test("names up to three simultaneous failures and counts the others", async () => {
  const widget = await harness.open({ props: { accept: "image/*" } });
  const names = ["1.txt", "2.txt", "3.txt", "4.txt", "5.txt"];
  await widget.choose(...(await Promise.all(names.map((name) => harness.file(name, "x")))));
  const reason = "This type of file is not accepted. Choose images.";
  await widget.waitForAnnouncement(
    `1.txt failed. ${reason} 2.txt failed. ${reason} 3.txt failed. ${reason} No files uploaded. 5 files failed.`,
  );
  expect(await widget.recorded("announcements")).toHaveLength(1);
});

test("announces progress at most once in five seconds", async () => {
  const widget = await harness.open({ fakeClock: true, props: { concurrency: 1 } });
  widget.app.hold("request");
  const names = ["1.bin", "2.bin", "3.bin", "4.bin"];
  await widget.choose(...(await Promise.all(names.map((name) => harness.file(name, "same size")))));
  await advanceTimeUntilAnnounced(widget, "4 files added.");
  widget.app.release("request");
  await expect
    .poll(async () => {
      await widget.advanceTime(20);
      return widget.rows("done").count();
    })
    .toBe(4);
  await widget.advanceTime(1000);
  expect(await widget.recorded("announcements")).toEqual(["4 files added.", "4 files uploaded."]);
});
