import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";
import { dragFiles } from "../fixtures/drag-files.js";
import { paste } from "../fixtures/paste.js";
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
