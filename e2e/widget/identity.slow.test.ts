import { describe, expect, test } from "vitest";
import { aWidgetHarness } from "./fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "./fixtures/pseudo-random-bytes.js";
import { sha256 } from "./fixtures/backend.js";

const harness = aWidgetHarness();

describe("two files of the same name, type and size", () => {
  test("are two files with separate bytes, rows and button names", async () => {
    const widget = await harness.open();
    const twins = [pseudoRandomBytes("one", 5000), pseudoRandomBytes("two", 5000)] as const;
    await widget.choose(await harness.file("twin.bin", twins[0]), await harness.file("twin.bin", twins[1]));
    await widget.waitForRows("done", 2);
    const files = await widget.files();
    expect(files.map(({ filename, status }) => [filename, status])).toEqual([
      ["twin.bin", "stored"],
      ["twin.bin", "stored"],
    ]);
    expect(files.map((file) => file.sha256).sort()).toEqual(twins.map(sha256).sort());
    expect(new Set(files.map(({ path }) => path)).size).toBe(2);
    await widget.button("Remove twin.bin (2)").click();
    await widget.button("Remove twin.bin").click();
    await expect.poll(() => widget.rows().count()).toBe(0);
  });

  test("are two uploads: cancelling one does not stop the other", async () => {
    const widget = await harness.open();
    widget.storage.hold();
    const twins = [pseudoRandomBytes("one", 5000), pseudoRandomBytes("two", 5000)] as const;
    await widget.choose(await harness.file("twin.bin", twins[0]), await harness.file("twin.bin", twins[1]));
    await widget.waitForRows("uploading", 2);
    await widget.button("Cancel twin.bin").click();
    await widget.waitForRows("cancelled");
    await expect.poll(() => widget.storage.puts.filter(({ isAborted }) => isAborted).length).toBe(1);
    widget.storage.release();
    await widget.waitForRows("done");
    const stored = (await widget.files()).filter(({ status }) => status === "stored");
    expect(stored).toMatchObject([{ filename: "twin.bin", sha256: sha256(twins[1]) }]);
  });
});

describe("a reload during an upload", () => {
  test("stores and counts the file once after it is chosen again", async () => {
    const widget = await harness.open();
    const source = await harness.file("again.txt", "again");
    widget.storage.hold();
    await widget.choose(source);
    await widget.waitForRows("uploading");
    widget.page.on("dialog", (dialog) => dialog.accept());
    await widget.page.reload();
    await widget.trigger.waitFor();
    expect(await widget.rows().count()).toBe(0);
    // Released before the proxy has noticed the end of the first PUT, its bytes would be stored.
    await expect.poll(() => widget.storage.puts[0]?.isAborted).toBe(true);
    widget.storage.release();
    await widget.choose(source);
    await widget.waitForRows("done");
    const stored = (await widget.files()).filter(({ status }) => status === "stored");
    expect(stored).toMatchObject([{ filename: "again.txt", sha256: sha256(Buffer.from("again")) }]);
    expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 1, bytes: 5 });
  });

  test("stores the file once even if it happens before the completion call", async () => {
    const widget = await harness.open();
    widget.app.hold("complete");
    await widget.choose(await harness.file("late.txt", "late"));
    await widget.waitForRows("confirming");
    widget.page.on("dialog", (dialog) => dialog.accept());
    await widget.page.reload();
    await widget.trigger.waitFor();
    // The store notifies the service of the upload, so no completion call is needed.
    await expect.poll(async () => (await widget.files()).map(({ status }) => status)).toEqual(["stored"]);
    expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 1, bytes: 4 });
  });
});

test("asks before leaving the page during an upload, and not afterwards", async () => {
  const widget = await harness.open();
  const dialogs: string[] = [];
  widget.page.on("dialog", (dialog) => {
    dialogs.push(dialog.type());
    void dialog.dismiss();
  });
  widget.storage.hold();
  const chooser = widget.page.waitForEvent("filechooser");
  await widget.trigger.click();
  await (await chooser).setFiles([await harness.file("kept.txt", "kept")]);
  await widget.waitForRows("uploading");
  // Playwright's own reload would wait for the navigation, which the dismissed dialog prevents.
  await widget.page.evaluate(() => location.reload());
  await expect.poll(() => dialogs).toEqual(["beforeunload"]);
  widget.storage.release();
  await widget.waitForRows("done");
  await widget.page.reload();
  expect(dialogs).toEqual(["beforeunload"]);
  expect(await widget.files()).toMatchObject([{ filename: "kept.txt", status: "stored" }]);
});
