import { expect, test, vi } from "vitest";
import { aRuntimeWithoutPauses } from "../../test/runtime.js";
import { assertReadable } from "./read-check.js";
import type { FileSource, SourceBytes } from "../file-source.js";
import { sourceOf } from "../file-source.js";
import { isSource, toFile } from "./source-file.js";

const TEXT = "0123456789";
const bytesOf = (text: string) => new TextEncoder().encode(text);

function aSource(slice: FileSource["slice"] = (start, end) => bytesOf(TEXT.slice(start, end))) {
  return { name: "digits.txt", type: "text/plain", size: TEXT.length, slice: vi.fn(slice) };
}

test.each<[string, (bytes: Uint8Array<ArrayBuffer>) => SourceBytes | Promise<SourceBytes>]>([
  ["a Blob", (bytes) => new Blob([bytes])],
  ["an ArrayBuffer", (bytes) => bytes.buffer],
  ["a Uint8Array", (bytes) => bytes],
  ["a promise", async (bytes) => bytes],
])("reads a source that answers %s like a file", async (_, answer) => {
  const file = toFile(aSource((start, end) => answer(bytesOf(TEXT.slice(start, end)))));
  expect(file).toMatchObject({ name: "digits.txt", type: "text/plain", size: 10, webkitRelativePath: "" });
  expect(await file.text()).toBe(TEXT);
  expect(await file.slice(2, 5).text()).toBe("234");
  expect(new Uint8Array(await file.slice(-3).arrayBuffer())).toEqual(bytesOf("789"));
  expect(await new Response(file.slice(4, -2).stream()).text()).toBe("4567");
});

test.each([
  [undefined, undefined],
  [3, undefined],
  [-4, -1],
  [2, 100],
  [8, 2],
  [-100, 3],
  [50, 60],
])("slices from %s to %s as a Blob does", async (start, end) => {
  const part = toFile(aSource()).slice(start, end, "a/b");
  const blob = new Blob([TEXT]).slice(start, end, "a/b");
  expect([part.size, part.type, await part.text()]).toEqual([blob.size, blob.type, await blob.text()]);
});

const reading = { runtime: aRuntimeWithoutPauses(), signal: new AbortController().signal };

test("reads no byte before it is asked, and only the bytes of a slice", async () => {
  const source = aSource();
  const part = toFile(source).slice(1, 9).slice(2, 4);
  expect(source.slice).not.toHaveBeenCalled();
  expect(await part.text()).toBe("34");
  expect(source.slice.mock.calls).toEqual([[3, 5]]);
});

test("asks an empty file for nothing", async () => {
  const source = { ...aSource(), size: 0 };
  await assertReadable(reading, toFile(source));
  expect(await toFile(source).text()).toBe("");
  expect(source.slice).not.toHaveBeenCalled();
});

test("a source that throws, or has another length, is a file that cannot be read", async () => {
  const throwing = aSource(() => Promise.reject(new Error("The permission has ended")));
  const short = aSource(() => bytesOf("0"));
  for (const source of [throwing, short]) {
    await expect(toFile(source).text()).rejects.toMatchObject({ code: "file_unreadable" });
  }
  await expect(assertReadable(reading, toFile(throwing))).rejects.toMatchObject({ code: "file_unreadable" });
});

test("asks a source again that cannot be read at first, as some files of other apps", async () => {
  let reads = 0;
  const source = aSource(() => (++reads === 1 ? Promise.reject(new Error("Not yet")) : bytesOf("0")));
  await assertReadable(reading, toFile(source));
  expect(reads).toBe(2);
});

test("a source is always the same file, and a file of a browser stays as it is", () => {
  const source = aSource();
  expect(toFile(source)).toBe(toFile(source));
  expect(toFile(toFile(source))).toBe(toFile(source));
  expect(sourceOf(toFile(source).slice(1))).toBe(source);
  const file = new File(["x"], "x.txt");
  expect([toFile(file), sourceOf(file), isSource(file)]).toEqual([file, undefined, false]);
});
