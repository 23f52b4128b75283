import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aFile, aRuntime } from "../../test/runtime.js";
import { createFileCollection } from "../store/file-collection.js";
import { createLostFiles, takeLostFiles } from "./lost-files.js";

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const ticketAt = (path: string) => ({
  ticket: { file_path: path } as never,
  validMs: () => 1000,
  size: 1000,
  type: "image/jpeg",
});

/** A page that sends the first of two files, and is then lost. */
function aLostPage() {
  const files = createFileCollection(() => {});
  const [first] = ["a.jpg", "b.jpg"].map((name) => files.add(aFile(name)));
  files.dispatch(first!, { type: "put-started", ticket: ticketAt("p/a") });
  const lost = createLostFiles(aRuntime(), {
    list: "old",
    files,
    scope: () => "[]",
    canContinue: () => true,
  });
  lost.save();
  return { files, lost };
}

/** The next page of the tab has the code, but not its memory. */
async function nextPage(endUpload: Parameters<typeof takeLostFiles>[2], running: string[] = []) {
  vi.resetModules();
  const code = await import("./lost-files.js");
  return code.takeLostFiles({ markedPaths: async () => running }, "[]", endUpload);
}

test("names what the last page has lost, once", async () => {
  aLostPage();
  expect(await nextPage(async () => "ended")).toEqual(["a.jpg", "b.jpg"]);
  expect(await nextPage(async () => "ended")).toEqual([]);
  expect(stored.size).toBe(0);
});

test("does not name a file that storage has after all", async () => {
  aLostPage();
  expect(await nextPage(async () => "stored")).toEqual(["b.jpg"]);
});

test("names nothing to another user", async () => {
  aLostPage();
  expect(await nextPage(async () => "unknown")).toEqual([]);
  expect(stored.size).toBe(0);
});

test("forgets the files at once when the last one has ended, because the page may be left", async () => {
  const { files, lost } = aLostPage();
  for (const { item } of files.all()) files.dispatch(item.id, { type: "cancelled" });
  lost.saveSoon();
  expect(stored.size).toBe(0);
});

test("leaves the files of a running page alone: a duplicated tab has a copy of its memory, and a page may have two lists", async () => {
  const endUpload = vi.fn(async () => "ended" as const);
  aLostPage();
  expect(await nextPage(endUpload, ["p/a"])).toEqual([]);
  expect(await takeLostFiles({ markedPaths: async () => [] }, "[]", endUpload)).toEqual([]);
  expect(endUpload).not.toHaveBeenCalled();
  expect(stored.size).toBe(1);
});

test("remembers nothing when all files have ended", () => {
  const { files, lost } = aLostPage();
  for (const { item } of files.all()) files.dispatch(item.id, { type: "cancelled" });
  lost.save();
  expect(stored.size).toBe(0);
});
