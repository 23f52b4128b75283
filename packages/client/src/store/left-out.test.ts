import { expect, test } from "vitest";
import { aFile, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { aMoment } from "../../test/store.js";
import { createFakeTransport } from "../testing/index.js";
import type { UploadSettings } from "../upload-settings.js";
import { createUploadStore } from "./upload-store.js";

function aList(settings: Partial<UploadSettings> = {}) {
  const transport = createFakeTransport();
  const store = createUploadStore({ transport, ...settings }, aRuntimeWithoutPauses());
  const names = () => store.getSnapshot().items.map(({ name }) => name);
  const leftOut = () => store.getSnapshot().leftOut.map(({ name }) => name);
  const loadCode = async () => {
    store.add([aFile("first.txt")]);
    await expect.poll(() => store.getSnapshot().totals.done).toBe(1);
    store.reset();
  };
  return { store, transport, names, leftOut, loadCode };
}

test.each([false, true])(
  "a system file takes the place of no other file and is not sent, with the code loaded: %s",
  async (isLoaded) => {
    const { store, transport, names, leftOut, loadCode } = aList({ maxFiles: 1 });
    if (isLoaded) await loadCode();
    store.add([aFile("._a.jpg"), aFile("a.jpg"), aFile("Thumbs.db")]);
    expect(names()).toEqual(["a.jpg"]);
    await expect.poll(leftOut).toEqual(["._a.jpg", "Thumbs.db"]);
    await expect.poll(() => store.getSnapshot().totals).toMatchObject({ files: 1, done: 1, failed: 0 });
    expect(transport.uploads.map(({ name }) => name)).not.toContain("._a.jpg");
  },
);

test("a file that only looks like one is added, also before the code is loaded", async () => {
  const { store, names, leftOut } = aList();
  store.add([aFile(".gitignore"), aFile("a.txt"), aFile("~notes.txt")]);
  await expect.poll(() => names().sort()).toEqual([".gitignore", "a.txt", "~notes.txt"]);
  expect(leftOut()).toEqual([]);
  await expect.poll(() => store.getSnapshot().totals.done).toBe(3);
});

test("a system file alone is left out, and replaces no stored file", async () => {
  const { store, names, leftOut } = aList({ maxFiles: 1 });
  store.add([aFile("a.jpg")]);
  await expect.poll(() => store.getSnapshot().totals.done).toBe(1);
  store.add([aFile(".DS_Store")]);
  expect([names(), leftOut()]).toEqual([["a.jpg"], [".DS_Store"]]);
});

test("the next files and an emptied list end what is said about the last ones", async () => {
  const { store, leftOut, loadCode } = aList();
  await loadCode();
  store.add([aFile(".DS_Store")]);
  store.add([aFile("a.jpg")]);
  expect(leftOut()).toEqual([]);
  store.add([aFile(".DS_Store")]);
  store.reset();
  expect(leftOut()).toEqual([]);
});

test("a file that waits for the code is not added to a list that was emptied meanwhile", async () => {
  const { store, names } = aList();
  store.add([aFile(".gitignore")]);
  store.reset();
  await aMoment();
  expect(names()).toEqual([]);
});

test("folders of the system are left out by the path of their files", async () => {
  const { store, names, leftOut } = aList();
  const inside = Object.defineProperty(aFile("b.jpg"), "webkitRelativePath", {
    value: "album/__MACOSX/b.jpg",
  });
  store.add([inside, aFile("a.jpg")]);
  await expect.poll(leftOut).toEqual(["b.jpg"]);
  expect(names()).toEqual(["a.jpg"]);
});
