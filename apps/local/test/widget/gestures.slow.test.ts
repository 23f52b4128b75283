import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { aStage, type Scene } from "./stage/a-stage.js";
import { dragFiles } from "../fixtures/drag-files.js";
import { sha256 } from "./stage/stored-files.js";

const stage = aStage();

const names = async (scene: Scene) => (await scene.files()).map(({ filename }) => filename).sort();

describe("a drag", () => {
  test("shows where to drop while it hangs over the zone, and nothing once it has left", async () => {
    const scene = await stage.open();
    const drag = await dragFiles(scene, scene.root, [await stage.file("a.txt", "a")]);
    await scene.root.and(scene.page.locator("[data-state=drag-over]")).waitFor();
    expect(await scene.root.innerText()).toContain("Drop to upload");
    await drag.leave();
    await scene.root.and(scene.page.locator("[data-state=idle]")).waitFor();
    expect(await scene.rows().count()).toBe(0);
  });

  test("says so when what it carries will not be accepted", async () => {
    const scene = await stage.open({ props: { accept: "image/*" } });
    const drag = await dragFiles(scene, scene.root, [await stage.file("a.txt", "a")]);
    await scene.root.and(scene.page.locator("[data-state=drag-reject]")).waitFor();
    expect(await scene.root.innerText()).toContain("These files are not accepted");
    await drag.drop();
    await scene.see("failed");
    expect(await scene.record("events")).toEqual([
      { event: "failed", name: "a.txt", what: "file_type_not_accepted" },
    ]);
    expect(scene.app.calls.filter(({ action }) => action === "request")).toEqual([]);
  });

  test("stores every file that is dropped, once", async () => {
    const scene = await stage.open();
    const paths = [await stage.file("one.txt", "1"), await stage.file("two.txt", "22")];
    await (await dragFiles(scene, scene.root, paths)).drop();
    await scene.see("done", 2);
    expect(await scene.files()).toMatchObject([
      { filename: "one.txt", status: "stored", sha256: sha256(Buffer.from("1")) },
      { filename: "two.txt", status: "stored", sha256: sha256(Buffer.from("22")) },
    ]);
    expect(scene.complaints).toEqual([]);
  });

  test("takes two drops in one breath", async () => {
    const scene = await stage.open();
    const [one, two] = [await stage.file("one.txt", "1"), await stage.file("two.txt", "22")];
    await (await dragFiles(scene, scene.root, [one])).drop();
    await (await dragFiles(scene, scene.root, [two])).drop();
    await scene.see("done", 2);
    expect(await names(scene)).toEqual(["one.txt", "two.txt"]);
  });

  test("brings a folder with all that is in it, except what systems leave there", async () => {
    const scene = await stage.open();
    const folder = join(dirname(await stage.file("beside", "")), "album");
    await mkdir(join(folder, "deep", "er"), { recursive: true });
    await writeFile(join(folder, "cover.txt"), "cover");
    await writeFile(join(folder, ".DS_Store"), "junk");
    await writeFile(join(folder, "deep", "cover.txt"), "deep cover");
    await writeFile(join(folder, "deep", "er", "last.txt"), "last");
    await (await dragFiles(scene, scene.root, [folder, await stage.file("loose.txt", "loose")])).drop();
    await scene.see("done", 4);
    expect(await names(scene)).toEqual(["cover.txt", "cover.txt", "last.txt", "loose.txt"]);
    const titles = await scene.root
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

describe("anywhere on the page", () => {
  test("a drop is taken when the page says so, and stored once", async () => {
    const scene = await stage.open({ inside: { page: { drop: true } } });
    const heading = scene.page.getByRole("heading");
    const drag = await dragFiles(scene, heading, [await stage.file("far.txt", "far")]);
    await scene.root.getByText("Drop anywhere to upload").waitFor();
    await drag.drop();
    await scene.see("done");
    expect(await names(scene)).toEqual(["far.txt"]);
    const near = await dragFiles(scene, scene.root, [await stage.file("near.txt", "near")]);
    await near.drop();
    await scene.see("done", 2);
    expect(await names(scene)).toEqual(["far.txt", "near.txt"]);
  });

  test("a drop beside the zone neither uploads nor opens the file, unless the page says so", async () => {
    const scene = await stage.open();
    const heading = scene.page.getByRole("heading");
    await (await dragFiles(scene, heading, [await stage.file("far.txt", "far")])).drop();
    expect(scene.page.url()).toBe(`${scene.app.url}/`);
    expect(await scene.rows().count()).toBe(0);
  });

  test("a paste is taken when the page says so, but not from whoever writes", async () => {
    const scene = await stage.open({ inside: { page: { paste: true } } });
    await scene.page.evaluate(() => document.body.insertAdjacentHTML("beforeend", "<textarea></textarea>"));
    await scene.page.locator("textarea").focus();
    await pasteInto(scene, "file");
    await scene.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await pasteInto(scene, "file");
    await scene.see("done");
    expect(await scene.rows().count()).toBe(1);
  });
});

/** What the keys do: an event at the element that has the focus. @returns whether the widget took it */
function pasteInto(scene: Scene, what: "file" | "text"): Promise<boolean> {
  return scene.page.evaluate((what) => {
    const data = new DataTransfer();
    if (what === "file") data.items.add(new File(["pasted"], "pasted.txt", { type: "text/plain" }));
    else data.setData("text/plain", "words");
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    return event.defaultPrevented;
  }, what);
}

test("a paste of files uploads them, and a paste of text is left to the page", async () => {
  const scene = await stage.open();
  await scene.trigger.focus();
  expect(await pasteInto(scene, "text")).toBe(false);
  expect(await scene.rows().count()).toBe(0);
  await pasteInto(scene, "file");
  await scene.see("done");
  expect(await scene.files()).toMatchObject([{ filename: "pasted.txt", status: "stored", sizeBytes: 6 }]);
});
