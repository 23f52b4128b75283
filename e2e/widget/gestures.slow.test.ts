import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";
import { dragFiles, dragTexts } from "../fixtures/drag-files.js";
import { paste } from "../fixtures/paste.js";
import { writePackage, writeRubbish } from "../fixtures/write-rubbish.js";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { sha256 } from "./fixtures/backend.js";

const harness = aWidgetHarness();

const names = async (widget: WidgetPage) => (await widget.files()).map(({ filename }) => filename).sort();

describe("drag and drop", () => {
  test("highlights the dropzone while files are over it, and stops when they leave", async () => {
    const widget = await harness.open();
    const drag = await dragFiles(widget, widget.root, [await harness.file("a.txt", "a")]);
    await widget.root.and(widget.page.locator("[data-state=drag-over]")).waitFor();
    expect(await widget.root.innerText()).toContain("Drop to upload");
    await drag.leave();
    await widget.root.and(widget.page.locator("[data-state=idle]")).waitFor();
    expect(await widget.rows().count()).toBe(0);
  });

  test("says for ten seconds where to drop files that were dropped beside it", async () => {
    const widget = await harness.open({ fakeClock: true });
    const notice = widget.root.getByText("Drop the files inside this area.").first();
    await widget.page.evaluate(() => {
      document.body.append(Object.assign(document.createElement("p"), { textContent: "Beside" }));
    });
    const beside = widget.page.getByText("Beside");
    const missed = await dragFiles(widget, beside, [await harness.file("a.txt", "a")]);
    await missed.drop();
    await notice.waitFor();
    await widget.advanceTime(9_000);
    expect(await notice.count()).toBe(1);
    await widget.advanceTime(1_500);
    await expect.poll(() => widget.root.locator("[data-notice]").count()).toBe(0);
  });

  test("does not ask people to drag files on a phone", async () => {
    const prepare = async (page: Page) => {
      const devTools = await page.context().newCDPSession(page);
      await devTools.send("Emulation.setTouchEmulationEnabled", { enabled: true });
      await devTools.send("Emulation.setDeviceMetricsOverride", {
        width: 390,
        height: 844,
        deviceScaleFactor: 1,
        mobile: true,
      });
    };
    const phone = await harness.open({ prepare, props: { label: "Receipts" } });
    expect(await phone.page.evaluate("matchMedia('(pointer: coarse)').matches")).toBe(true);
    await phone.root.locator(".stowage-title").getByText("Receipts").waitFor();
    const desk = await harness.open({ props: { label: "Receipts" } });
    await desk.root.locator(".stowage-title").getByText("Drag files here").waitFor();
  });

  test("shows that dragged files are not accepted", async () => {
    const widget = await harness.open({ props: { accept: "image/*" } });
    const drag = await dragFiles(widget, widget.root, [await harness.file("a.txt", "a")]);
    await widget.root.and(widget.page.locator("[data-state=drag-reject]")).waitFor();
    expect(await widget.root.innerText()).toContain("These files are not accepted");
    await drag.drop();
    await widget.waitForRows("failed");
    await expect
      .poll(() => widget.recorded("events"))
      .toEqual([{ event: "failed", name: "a.txt", detail: "file_type_not_accepted" }]);
    expect(widget.app.calls.filter(({ action }) => action === "request")).toEqual([]);
  });

  test("stores each dropped file once", async () => {
    const widget = await harness.open();
    const paths = [await harness.file("one.txt", "1"), await harness.file("two.txt", "22")];
    await (await dragFiles(widget, widget.root, paths)).drop();
    await widget.waitForRows("done", 2);
    expect(await widget.files()).toMatchObject([
      { filename: "one.txt", status: "stored", sha256: sha256(Buffer.from("1")) },
      { filename: "two.txt", status: "stored", sha256: sha256(Buffer.from("22")) },
    ]);
    expect(widget.consoleErrors).toEqual([]);
  });

  test("accepts two drops in immediate succession", async () => {
    const widget = await harness.open();
    const [one, two] = [await harness.file("one.txt", "1"), await harness.file("two.txt", "22")];
    await (await dragFiles(widget, widget.root, [one])).drop();
    await (await dragFiles(widget, widget.root, [two])).drop();
    await widget.waitForRows("done", 2);
    expect(await names(widget)).toEqual(["one.txt", "two.txt"]);
  });

  test("uploads all files of a dropped folder except system files", async () => {
    const widget = await harness.open();
    const folder = join(dirname(await harness.file("beside", "")), "album");
    await mkdir(join(folder, "deep", "er"), { recursive: true });
    await writeFile(join(folder, "cover.txt"), "cover");
    await writeFile(join(folder, ".DS_Store"), "junk");
    await writeFile(join(folder, "deep", "cover.txt"), "deep cover");
    await writeFile(join(folder, "deep", "er", "last.txt"), "last");
    await (await dragFiles(widget, widget.root, [folder, await harness.file("loose.txt", "loose")])).drop();
    await widget.waitForRows("done", 4);
    expect(await names(widget)).toEqual(["cover.txt", "cover.txt", "last.txt", "loose.txt"]);
    const titles = await widget.root
      .locator(".stowage-name")
      .evaluateAll((names) => names.map((name) => name.getAttribute("title")));
    expect(titles.sort()).toEqual([
      "album/cover.txt",
      "album/deep/cover.txt",
      "album/deep/er/last.txt",
      "loose.txt",
    ]);
  });
});

const SAVE_FIRST = "Save this as a file first, then choose the file.";
/** What a message of Gmail gives to the window in which it is dropped. */
const MESSAGE = {
  "text/plain": "https://mail.example/u/0/#inbox/1",
  "text/uri-list": "https://mail.example/u/0/#inbox/1",
  "text/html": '<a href="https://mail.example/u/0/#inbox/1">Offer</a>',
};

describe("things that are not a person's files", () => {
  test("a system file takes the place of no other, and its number is said", async () => {
    const widget = await harness.open({ props: { maxFiles: 1 } });
    const folder = dirname(await harness.file("._a.jpg", "junk"));
    await writeFile(join(folder, "a.jpg"), "a");
    await (await dragFiles(widget, widget.root, [join(folder, "._a.jpg"), join(folder, "a.jpg")])).drop();
    await widget.waitForRows("done");
    expect(await names(widget)).toEqual(["a.jpg"]);
    await widget.root.locator(".stowage-hint").getByText("1 system file was left out.").waitFor();
    await expect
      .poll(async () => (await widget.announced()).join(" "))
      .toContain("1 system file was left out.");
    expect(await widget.recorded("events")).not.toContainEqual(expect.objectContaining({ event: "failed" }));
  });

  test("a dropped disk full of rubbish gives its files only", async () => {
    const widget = await harness.open();
    const disk = join(dirname(await harness.file("beside", "")), "disk");
    const count = await writeRubbish(disk);
    for (const name of ["a.jpg", ".gitignore", "~notes.txt", "Icon.png", "who?.txt"])
      await writeFile(join(disk, name), name);
    await (await dragFiles(widget, widget.root, [disk])).drop();
    await widget.waitForRows("done", 5);
    expect(await names(widget)).toEqual([".gitignore", "Icon.png", "a.jpg", "who?.txt", "~notes.txt"]);
    await widget.root.locator(".stowage-hint").getByText(`${count} system files were left out.`).waitFor();
    await saveScreenshot(widget.page, "widget-left-out");
  });

  test("a package folder gives one sentence and no row", async () => {
    const widget = await harness.open();
    const folder = dirname(await harness.file("a.txt", "a"));
    await writePackage(join(folder, "Talk.key"));
    await (await dragFiles(widget, widget.root, [join(folder, "Talk.key")])).drop();
    const sentence = widget.root.locator("[data-notice]");
    await sentence.waitFor();
    expect(await sentence.innerText()).toBe("Package folders must be compressed first: Talk.key.");
    await saveScreenshot(widget.page, "widget-package-folder");
    expect(await widget.rows().count()).toBe(0);
    await (await dragFiles(widget, widget.root, [folder])).drop();
    await widget.waitForRows("done");
    expect(await names(widget)).toEqual(["a.txt"]);
    expect(await sentence.innerText()).toContain("Talk.key");
  });

  test("a dropped message says that it must be saved first, and the page stays", async () => {
    const widget = await harness.open();
    const drag = await dragTexts(widget, widget.root, MESSAGE);
    await widget.root.and(widget.page.locator("[data-state=drag-reject]")).waitFor();
    await drag.drop();
    await widget.root.and(widget.page.locator("[data-state=idle]")).waitFor();
    await expect.poll(() => widget.root.locator("[data-notice]").innerText()).toBe(SAVE_FIRST);
    await widget.waitForAnnouncement(SAVE_FIRST);
    expect(await widget.rows().count()).toBe(0);
    expect(widget.page.url()).toBe(`${widget.app.url}/`);
  });

  test("a message without content is refused with the same sentence, and an empty text is stored", async () => {
    const widget = await harness.open();
    const paths = [await harness.file("Offer.msg", ""), await harness.file("empty.txt", "")];
    await (await dragFiles(widget, widget.root, paths)).drop();
    await widget.waitForRows("failed");
    await widget.rows("failed").getByText(SAVE_FIRST).waitFor();
    await widget.waitForRows("done");
    expect(await names(widget)).toEqual(["empty.txt"]);
  });
});

describe("gestures on the whole page", () => {
  test("accepts a drop anywhere if the page enables it, and stores the file once", async () => {
    const widget = await harness.open({ inside: { page: { drop: true } } });
    const heading = widget.page.getByRole("heading");
    const drag = await dragFiles(widget, heading, [await harness.file("far.txt", "far")]);
    await widget.root.getByText("Drop anywhere to upload").waitFor();
    await drag.drop();
    await widget.waitForRows("done");
    expect(await names(widget)).toEqual(["far.txt"]);
    const near = await dragFiles(widget, widget.root, [await harness.file("near.txt", "near")]);
    await near.drop();
    await widget.waitForRows("done", 2);
    expect(await names(widget)).toEqual(["far.txt", "near.txt"]);
  });

  test("ignores a drop outside the dropzone by default, and does not open the file", async () => {
    const widget = await harness.open();
    const heading = widget.page.getByRole("heading");
    await (await dragFiles(widget, heading, [await harness.file("far.txt", "far")])).drop();
    expect(widget.page.url()).toBe(`${widget.app.url}/`);
    expect(await widget.rows().count()).toBe(0);
  });

  test("accepts a paste anywhere if the page enables it, except in a text field", async () => {
    const widget = await harness.open({ inside: { page: { paste: true } } });
    await widget.page.evaluate(() => document.body.insertAdjacentHTML("beforeend", "<textarea></textarea>"));
    await widget.page.locator("textarea").focus();
    await paste(widget.page, "file");
    await widget.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await paste(widget.page, "file");
    await widget.waitForRows("done");
    expect(await widget.rows().count()).toBe(1);
  });

  const word = { "text/plain": "Dear Ann", "text/html": "<p>Dear Ann</p>" };

  test("leaves a clipboard with text to the page, unless the focus is in the widget or the page asks for it", async () => {
    const widget = await harness.open({ inside: { page: { paste: true } } });
    await paste(widget.page, word);
    await paste(widget.page, { "text/html": "<table><tr><td>1</td></tr></table>" });
    // What browsers and Finder add to an image or a file.
    const image = '<meta charset="utf-8"><img src="https://a.example/cat.png" alt="A cat">';
    await paste(widget.page, { "text/html": image });
    await paste(widget.page, { "text/plain": "pasted.txt" });
    await widget.waitForRows("done", 2);
    await widget.trigger.focus();
    await paste(widget.page, word);
    await widget.waitForRows("done", 3);
    expect(await widget.files()).toHaveLength(3);
    const always = await harness.open({ inside: { page: { paste: "always" } } });
    await paste(always.page, word);
    await always.waitForRows("done");
    expect(await names(always)).toEqual(["pasted.txt"]);
  });

  test("uploads an image that was really copied, and not the one beside a text", async () => {
    const widget = await harness.open({ inside: { page: { paste: true } } });
    await widget.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const copy = (texts: Record<string, string>) =>
      widget.page.evaluate(async (texts) => {
        const canvas = Object.assign(document.createElement("canvas"), { width: 4, height: 4 });
        canvas.getContext("2d")!.fillRect(0, 0, 4, 4);
        const image = await new Promise<Blob>((done) => canvas.toBlob((blob) => done(blob!)));
        const blobs = Object.entries(texts).map(([type, text]) => [type, new Blob([text], { type })]);
        await navigator.clipboard.write([
          new ClipboardItem({ "image/png": image, ...Object.fromEntries(blobs) }),
        ]);
      }, texts);
    await widget.page.bringToFront();
    await copy({ "text/plain": "Dear Ann" });
    await widget.page.keyboard.press("Control+v");
    await copy({ "text/html": '<img src="https://a.example/cat.png">' });
    await widget.page.keyboard.press("Control+v");
    await widget.waitForRows("done");
    expect(await names(widget)).toEqual(["image.png"]);
  });
});

test("uploads pasted files and leaves pasted text to the page", async () => {
  const widget = await harness.open();
  await widget.trigger.focus();
  expect(await paste(widget.page, "text")).toBe(false);
  expect(await widget.rows().count()).toBe(0);
  await paste(widget.page, "file");
  await widget.waitForRows("done");
  expect(await widget.files()).toMatchObject([{ filename: "pasted.txt", status: "stored", sizeBytes: 6 }]);
});
