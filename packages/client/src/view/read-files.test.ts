import { expect, test } from "vitest";
import { englishLabels } from "../labels/labels.js";
import { MIN_FINGERPRINT_BYTES } from "../transport.js";
import { type GivenItem, readFiles } from "./read-files.js";

/** A folder as an object: a text is a file, an error a thing that cannot be read. */
interface Tree {
  [name: string]: Tree | string | Error;
}

const labels = { ...englishLabels, locale: "en" };

function aHandle(name: string, content: Tree[string]): FileSystemHandle {
  const isFolder = typeof content === "object" && !(content instanceof Error);
  return {
    name,
    kind: isFolder ? "directory" : "file",
    async getFile() {
      if (content instanceof Error) throw content;
      return new File([content as string], name);
    },
    async *values() {
      for (const [child, value] of Object.entries(content as Tree)) {
        if (child === "") throw value;
        yield aHandle(child, value);
      }
    },
  } as unknown as FileSystemHandle;
}

function anEntry(name: string, content: Tree[string]): FileSystemEntry {
  const isFolder = typeof content === "object" && !(content instanceof Error);
  return {
    name,
    isDirectory: isFolder,
    file(done: (file: File) => void, fail: (error: Error) => void) {
      if (content instanceof Error) fail(content);
      else done(new File([content as string], name));
    },
    createReader() {
      // One entry with each call, as a browser with many does it.
      const rest = Object.entries(content as Tree);
      return {
        readEntries(done: (entries: FileSystemEntry[]) => void, fail: (error: unknown) => void) {
          const [next] = rest.splice(0, 1);
          if (next?.[0] === "") fail(next[1]);
          else done(next ? [anEntry(...next)] : []);
        },
      };
    },
  } as unknown as FileSystemEntry;
}

/** A dropped folder that can be read by its handle only, as some of Windows, and in browsers without handles. */
const asHandle = (name: string, tree: Tree): GivenItem => ({
  file: new File([], name),
  entry: anEntry(name, { "": new Error("EncodingError") }),
  handle: Promise.resolve(aHandle(name, tree)),
});
const asEntry = (name: string, tree: Tree): GivenItem => ({
  file: new File([], name),
  entry: anEntry(name, tree),
  handle: undefined,
});

const pathsOf = (files: File[]) =>
  files.map((file) => (file as File & { relativePath?: string }).relativePath ?? file.name);

const browsers = [
  ["handles", asHandle],
  ["entries", asEntry],
] as const;

test.each(browsers)("reads a folder by %s, with the path of each file", async (_by, drop) => {
  const tree = { "a.jpg": "a", deep: { "b.txt": "b", er: { "c.bin": "c" } }, ".DS_Store": "" };
  const { files, notice } = await readFiles([drop("album", tree)], "drop");
  expect(pathsOf(files)).toEqual([
    "album/a.jpg",
    "album/deep/b.txt",
    "album/deep/er/c.bin",
    "album/.DS_Store",
  ]);
  expect(notice).toBeUndefined();
});

test("finds the files that the handle of a folder hides, and keeps the handles of large ones", async () => {
  const large = "x".repeat(MIN_FINGERPRINT_BYTES);
  const handle = {
    ...aHandle("album", { "large.mp4": large }),
    getFileHandle: async (name: string) => {
      if (name !== "large.mp4") throw new TypeError("Name is not allowed.");
      return aHandle(name, large);
    },
  } as unknown as FileSystemHandle;
  const entry = anEntry("album", {
    "~notes.txt": "a",
    "who?.txt": "b",
    "large.mp4": large,
    "~large.mp4": large,
  });
  const { files } = await readFiles([{ file: null, entry, handle: Promise.resolve(handle) }], "drop");
  expect(files.map(({ name }) => name)).toEqual(["~notes.txt", "who?.txt", "large.mp4", "~large.mp4"]);
  expect(files.map((file) => "handle" in file)).toEqual([false, false, true, false]);
});

test.each(browsers)("names package folders once, and reads nothing of them, by %s", async (_by, drop) => {
  const talk = { "": new Error("must not be read") };
  const items = [drop("work", { "a.txt": "a", "Talk.key": talk }), drop("Notes.pages", talk)];
  const { files, notice } = await readFiles(items, "drop");
  expect(pathsOf(files)).toEqual(["work/a.txt"]);
  expect(notice?.(labels)).toBe("Package folders must be compressed first: Notes.pages, Talk.key.");
});

test("names at most three packages", async () => {
  const items = ["a.app", "b.app", "c.app", "d.app"].map((name) => asEntry(name, {}));
  const { notice } = await readFiles(items, "drop");
  expect(notice?.(labels)).toBe("Package folders must be compressed first: a.app, b.app, c.app, ….");
});

test("finds a package in a chosen folder by the paths of its files, and one that is a single file is a file", async () => {
  const chosen = ["work/Talk.key/Index.zip", "work/Talk.key/Data/1.jpg", "work/a.txt", "work/Flat.key"].map(
    (path) =>
      Object.defineProperty(new File(["x"], path.replace(/.*\//, "")), "webkitRelativePath", { value: path }),
  );
  const { files, notice } = await readFiles(
    chosen.map((file) => ({ file })),
    "change",
  );
  expect(files.map(({ name }) => name)).toEqual(["a.txt", "Flat.key"]);
  expect(notice?.(labels)).toContain("Talk.key");
});

test.each(browsers)("folders that only the system may read hide no file, by %s", async (_by, drop) => {
  const secret = { "": new Error("NotReadableError") };
  const disk = {
    "System Volume Information": secret,
    ".Trashes": secret,
    "a.jpg": "a",
    "._a.jpg": new Error("gone"),
  };
  const { files } = await readFiles([drop("disk", disk)], "drop");
  expect(pathsOf(files)).toEqual(["disk/a.jpg"]);
});

test.each(browsers)(
  "a folder that cannot be read is listed as a file, and hides no other, by %s",
  async (_by, drop) => {
    const items = [
      drop("broken", { deep: { "": new Error("NotReadableError") } }),
      { file: new File(["a"], "a.txt") },
    ];
    const { files } = await readFiles(items, "drop");
    expect(files.map(({ name }) => name)).toEqual(["broken", "a.txt"]);
  },
);

test.each([
  ["a folder without files", "drop", [asEntry("empty", {})], "This folder has no files."],
  [
    "a folder with system files only",
    "drop",
    [asEntry("empty", { ".DS_Store": "" })],
    "This folder has no files.",
  ],
  ["a chosen folder without files", "change", [], "This folder has no files."],
  ["a message, a link or a text", "drop", [], "Save this as a file first, then choose the file."],
  ["a system file alone", "drop", [{ file: new File([], "Thumbs.db") }], undefined],
  ["a pasted text", "paste", [], undefined],
])("says what to know about %s", async (_what, type, items, sentence) => {
  const { notice } = await readFiles(items, type);
  expect(notice?.(labels)).toBe(sentence);
});

test("a file without a type gets the type of its name, and a dropped file keeps its handle", async () => {
  const handle = Promise.resolve(aHandle("photo.heic", "bytes"));
  const items = [
    { file: new File(["bytes"], "photo.heic"), handle },
    { file: new File(["x"], "unknown.xyzzy") },
    { file: new File(["x"], "a.txt", { type: "application/x-own" }) },
  ];
  const { files } = await readFiles(items, "drop");
  expect(files.map(({ type }) => type)).toEqual(["image/heic", "", "application/x-own"]);
  expect(files[0]).toMatchObject({ handle: await handle });
});
