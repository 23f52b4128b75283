import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile } from "../../test/runtime.js";
import { aStoreAt, ended, failureOf } from "../../test/store.js";
import type { FileSource } from "../file-source.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

function aSource(size: number, name = "film.mp4"): FileSource & { bytes: Buffer<ArrayBuffer> } {
  const bytes = Buffer.alloc(size, "0123456789abcdef!");
  return { name, type: "video/mp4", size, bytes, slice: (start, end) => bytes.subarray(start, end) };
}

test("uploads a source by one PUT", async () => {
  const store = aStoreAt(backend);
  const source = aSource(100_000);
  store.add([source]);
  await ended(store, "done");
  expect(backend.of("put")[0]).toMatchObject({ body: source.bytes.toString("latin1") });
  expect(backend.of("put")[0]?.headers).toMatchObject({
    "content-type": "video/mp4",
    "content-length": "100000",
  });
  expect(store.getSnapshot().items[0]?.file).toBe(source);
});

test("reads a source part by part, and never the whole", async () => {
  Object.assign(backend.settings, { multipartFrom: 1, partSize: 100_000 });
  const source = aSource(350_001);
  const slice = vi.spyOn(source, "slice");
  const store = aStoreAt(backend);
  store.add([source]);
  await ended(store, "done");
  const [stored] = backend.stored.values();
  expect(stored?.bytes?.equals(source.bytes)).toBe(true);
  expect(Math.max(...slice.mock.calls.map(([start, end]) => end - start))).toBe(100_000);
});

test("sends a source again when its PUT was cut", async () => {
  backend.nextAnswers.put.push("cut");
  const store = aStoreAt(backend);
  store.add([aSource(1000)]);
  await ended(store, "done");
  expect(backend.of("put")).toHaveLength(2);
});

test("checks limits, and passes the page's own code a file that it can read", async () => {
  const validate = async (file: File) =>
    (await file.slice(0, 4).text()) === "0123" ? "Not this one." : null;
  const store = aStoreAt(backend, { maxSize: 1000, validate });
  store.add([aSource(1001), aSource(1000), aFile("a.txt", 10)]);
  await ended(store, "failed", "failed", "done");
  expect([failureOf(store, 0)?.code, failureOf(store, 1)?.message]).toEqual([
    "file_too_large",
    "Not this one.",
  ]);
});

test("sends what transform cuts out of a source", async () => {
  const store = aStoreAt(backend, { transform: (file) => file.slice(0, 5, "text/plain") });
  store.add([aSource(1000, "notes")]);
  await ended(store, "done");
  expect(backend.of("put")[0]?.body).toBe("01234");
});

test.each([
  ["the answer of a phone's picker", { uri: "file:///a.jpg", name: "a.jpg", type: "image/jpeg" }],
  ["a list of them", [{ uri: "file:///a.jpg" }]],
  ["a list of paths", ["a.jpg"]],
  ["nothing", [undefined]],
])("says what add takes if it gets %s, and adds nothing", (_, chosen) => {
  const store = aStoreAt(backend);
  expect(() => store.add(chosen as unknown as File[])).toThrow(
    new TypeError("Add files, or sources with name, type, size and slice()"),
  );
  expect(store.getSnapshot().items).toEqual([]);
});

test("takes an empty list", () => {
  const store = aStoreAt(backend);
  store.add([]);
  store.add(new Set<File>());
  expect(store.getSnapshot().items).toEqual([]);
});
