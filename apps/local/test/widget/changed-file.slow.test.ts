import { appendFile, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { aStage } from "./stage/a-stage.js";
import { bytesOf } from "./stage/bytes-of.js";
import { sha256 } from "./stage/stored-files.js";

const stage = aStage();
const SIZE = 32 * 1024 * 1024;
const BYTES = bytesOf("draft", SIZE);

/** A file on its way, changed while the browser has most of it still to read. */
async function changeUnderWay(change: (path: string) => Promise<void>) {
  const scene = await stage.open();
  const path = await stage.file("draft.bin", BYTES);
  // Chromium compares whole seconds.
  await utimes(path, 1, 1);
  scene.storage.hold();
  await scene.choose(path);
  await expect.poll(() => scene.storage.puts.length).toBe(1);
  await change(path);
  scene.storage.release();
  return scene;
}

test.each([
  ["cut short", (path: string) => truncate(path, SIZE / 4)],
  ["made longer", (path: string) => appendFile(path, "more")],
  ["written anew in the same length", (path: string) => writeFile(path, bytesOf("other", SIZE))],
])("a file that is %s while it is sent is not taken for the one that was chosen", async (_, change) => {
  const scene = await changeUnderWay(change);
  await scene.see("failed");
  expect(await scene.row("draft.bin").innerText()).toContain(
    "This file was changed, moved or deleted. Choose it again.",
  );
  expect(await scene.button("Retry draft.bin").count()).toBe(0);
  expect(await scene.record("events")).toMatchObject([{ event: "failed", what: "file_unreadable" }]);
  expect(scene.app.calls.map(({ action }) => action)).not.toContain("complete");
});

test("a file that is deleted while it is sent is stored as it was", async () => {
  const scene = await changeUnderWay((path) => rm(path));
  await scene.see("done");
  expect(await scene.files()).toMatchObject([{ status: "stored", sha256: sha256(BYTES) }]);
});
