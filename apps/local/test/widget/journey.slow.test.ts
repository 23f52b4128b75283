import { describe, expect, test } from "vitest";
import { aStage, type Scene } from "./stage/a-stage.js";
import { sha256 } from "./stage/stored-files.js";

const stage = aStage();

/** Goes on with Tab until this has the focus; a stop of the keyboard's way that is never reached fails. */
async function tabTo(scene: Scene, name: string): Promise<void> {
  const target = scene.button(name);
  await target.waitFor();
  for (let press = 0; press < 20; press++) {
    if (await target.evaluate((button) => button === document.activeElement)) return;
    await scene.page.keyboard.press("Tab");
  }
  throw new Error(`Tab never came to "${name}"`);
}

const focused = (scene: Scene) =>
  scene.page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent ?? null;
  });

describe("by keyboard alone", () => {
  test("a person chooses, cancels, tries again and removes, and never loses the focus", async () => {
    const scene = await stage.open();
    scene.storage.hold();
    const chooser = scene.page.waitForEvent("filechooser");
    await tabTo(scene, "Choose files");
    await scene.page.keyboard.press("Enter");
    await (
      await chooser
    ).setFiles([await stage.file("first.txt", "first"), await stage.file("second.txt", "second")]);
    await scene.see("uploading", 2);
    await scene.hear("2 files added.");

    await tabTo(scene, "Cancel first.txt");
    await scene.page.keyboard.press("Enter");
    await scene.see("cancelled");
    await scene.hear("first.txt cancelled.");
    scene.storage.release();
    await scene.see("done");
    await scene.hear("1 file uploaded.");

    await tabTo(scene, "Retry first.txt");
    await scene.page.keyboard.press("Space");
    await scene.see("done", 2);
    await scene.hear("2 files uploaded.");

    await tabTo(scene, "Remove first.txt");
    await scene.page.keyboard.press("Enter");
    await expect.poll(() => scene.rows().count()).toBe(1);
    expect(await focused(scene)).toBe("Remove second.txt");
    await scene.page.keyboard.press("Enter");
    await expect.poll(() => scene.rows().count()).toBe(0);
    expect(await focused(scene)).toBe("Choose files");

    expect(await scene.record("focusLosses")).toEqual([]);
    expect(await scene.record("spoken")).toEqual([
      "2 files added.",
      "first.txt cancelled.",
      "1 file uploaded.",
      "2 files uploaded.",
    ]);
    expect(await scene.record("liveRegions")).toBe(1);
    const stored = (await scene.files()).filter(({ status }) => status === "stored");
    expect(stored.map((file) => file.sha256).sort()).toEqual(
      ["first", "second"].map((bytes) => sha256(Buffer.from(bytes))).sort(),
    );
    // Of the look whether the cancelled PUT came through, before another URL is asked for: it did not.
    expect(scene.complaints).toEqual([
      "Failed to load resource: the server responded with a status of 409 (Conflict)",
    ]);
  });

  test("the group itself is no stop, and the input is none", async () => {
    const scene = await stage.open();
    await scene.page.keyboard.press("Tab");
    expect(await focused(scene)).toBe("Choose files");
    await scene.page.keyboard.press("Tab");
    expect(await scene.page.evaluate(() => document.activeElement === document.body)).toBe(true);
  });
});

test("in StrictMode, with React's checks, nothing is sent twice and nothing complains", async () => {
  const scene = await stage.open({ strict: true, development: true });
  await scene.choose(await stage.file("strict.txt", "strict"));
  await scene.see("done");
  expect(await scene.files()).toMatchObject([{ filename: "strict.txt", status: "stored" }]);
  expect(scene.app.calls.filter(({ action }) => action === "request")).toHaveLength(1);
  expect(scene.storage.puts).toHaveLength(1);
  expect(await scene.record("events")).toMatchObject([{ event: "uploaded", name: "strict.txt" }]);
  expect(scene.complaints).toEqual([]);
});
