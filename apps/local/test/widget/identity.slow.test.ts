import { describe, expect, test } from "vitest";
import { aStage } from "./stage/a-stage.js";
import { bytesOf } from "./stage/bytes-of.js";
import { sha256 } from "./stage/stored-files.js";

const stage = aStage();

describe("two files of the same name, type and size", () => {
  test("are two files: each with its own bytes, row, and name to act on", async () => {
    const scene = await stage.open();
    const twins = [bytesOf("one", 5000), bytesOf("two", 5000)] as const;
    await scene.choose(await stage.file("twin.bin", twins[0]), await stage.file("twin.bin", twins[1]));
    await scene.see("done", 2);
    const files = await scene.files();
    expect(files.map(({ filename, status }) => [filename, status])).toEqual([
      ["twin.bin", "stored"],
      ["twin.bin", "stored"],
    ]);
    expect(files.map((file) => file.sha256).sort()).toEqual(twins.map(sha256).sort());
    expect(new Set(files.map(({ path }) => path)).size).toBe(2);
    await scene.button("Remove twin.bin (2)").click();
    await scene.button("Remove twin.bin").click();
    await expect.poll(() => scene.rows().count()).toBe(0);
  });

  test("are two uploads: one is cancelled, the other goes on", async () => {
    const scene = await stage.open();
    scene.storage.hold();
    const twins = [bytesOf("one", 5000), bytesOf("two", 5000)] as const;
    await scene.choose(await stage.file("twin.bin", twins[0]), await stage.file("twin.bin", twins[1]));
    await scene.see("uploading", 2);
    await scene.button("Cancel twin.bin").click();
    await scene.see("cancelled");
    scene.storage.release();
    await scene.see("done");
    const stored = (await scene.files()).filter(({ status }) => status === "stored");
    expect(stored).toMatchObject([{ filename: "twin.bin", sha256: sha256(twins[1]) }]);
  });
});

describe("a reload in the middle", () => {
  test("leaves nothing stored twice, and nothing counted twice", async () => {
    const scene = await stage.open();
    const source = await stage.file("again.txt", "again");
    scene.storage.hold();
    await scene.choose(source);
    await scene.see("uploading");
    scene.page.on("dialog", (dialog) => dialog.accept());
    await scene.page.reload();
    await scene.trigger.waitFor();
    expect(await scene.rows().count()).toBe(0);
    scene.storage.release();
    await scene.choose(source);
    await scene.see("done");
    const stored = (await scene.files()).filter(({ status }) => status === "stored");
    expect(stored).toMatchObject([{ filename: "again.txt", sha256: sha256(Buffer.from("again")) }]);
    expect(await stage.ledger.usageOf(scene.user)).toEqual({ files: 1, bytes: 5 });
  });

  test("after the bytes, before the service was told: the file is stored once all the same", async () => {
    const scene = await stage.open();
    scene.app.hold("complete");
    await scene.choose(await stage.file("late.txt", "late"));
    await scene.see("confirming");
    scene.page.on("dialog", (dialog) => dialog.accept());
    await scene.page.reload();
    await scene.trigger.waitFor();
    // The store tells the service of what came, so nobody's word is needed.
    await expect.poll(async () => (await scene.files()).map(({ status }) => status)).toEqual(["stored"]);
    expect(await stage.ledger.usageOf(scene.user)).toEqual({ files: 1, bytes: 4 });
  });
});

test("whoever leaves while files are on their way is asked first, and nobody else is", async () => {
  const scene = await stage.open();
  const asked: string[] = [];
  scene.page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  scene.storage.hold();
  const chooser = scene.page.waitForEvent("filechooser");
  await scene.trigger.click();
  await (await chooser).setFiles([await stage.file("kept.txt", "kept")]);
  await scene.see("uploading");
  // Not a reload, which Playwright would wait for: the person stays.
  await scene.page.evaluate(() => location.reload());
  await expect.poll(() => asked).toEqual(["beforeunload"]);
  scene.storage.release();
  await scene.see("done");
  await scene.page.reload();
  expect(asked).toEqual(["beforeunload"]);
  expect(await scene.files()).toMatchObject([{ filename: "kept.txt", status: "stored" }]);
});
