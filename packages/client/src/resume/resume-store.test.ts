import * as fake from "fake-indexeddb";
import { beforeEach, expect, test, vi } from "vitest";
import { aRuntime } from "../../test/runtime.js";
import { hasResumeMarker } from "./resume-marker.js";
import { createResumeStore, type SavedUpload } from "./resume-store.js";

const DAY_MS = 86_400_000;
const runtime = aRuntime();
let storage: Map<string, string>;

beforeEach(() => {
  for (const [name, value] of Object.entries(fake)) if (name.startsWith("IDB")) vi.stubGlobal(name, value);
  vi.stubGlobal("indexedDB", new fake.IDBFactory());
  storage = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, value: string) => storage.set(name, value),
    removeItem: (name: string) => storage.delete(name),
  });
});

const anUpload = (path: string, changes: Partial<SavedUpload> = {}) => ({
  path,
  scope: "/api/upload",
  expiresAtMs: runtime.now() + DAY_MS,
  ...changes,
});

const pathsOf = async (store = createResumeStore(runtime), scope = "/api/upload") =>
  (await store.list(scope)).map(({ path }) => path);

test("a later page finds the uploads of its scope, newest first", async () => {
  const store = createResumeStore(runtime);
  await store.save(anUpload("p/1"));
  runtime.advance(1);
  await store.save(anUpload("p/2"));
  await store.save(anUpload("p/3", { scope: "/other" }));
  expect(await pathsOf()).toEqual(["p/2", "p/1"]);
  expect(await pathsOf(createResumeStore(runtime), "/other")).toEqual(["p/3"]);
});

test("keeps everything that is needed to find the file again", async () => {
  await createResumeStore(runtime).save(anUpload("p/1"));
  const [saved] = await createResumeStore(runtime).list("/api/upload");
  expect(saved).toEqual({ ...anUpload("p/1"), savedAtMs: runtime.now() });
});

test("an upload is gone after it was removed", async () => {
  const store = createResumeStore(runtime);
  await store.save(anUpload("p/1"));
  await store.remove("p/1");
  expect(await pathsOf()).toEqual([]);
});

test("forgets an upload whose time is over", async () => {
  await createResumeStore(runtime).save(anUpload("p/1"));
  runtime.advance(DAY_MS);
  expect(await pathsOf()).toEqual([]);
});

test("keeps the newest 100 uploads", async () => {
  const store = createResumeStore(runtime);
  for (let number = 1; number <= 103; number++) {
    runtime.advance(1);
    await store.save(anUpload(`p/${number}`));
  }
  const paths = await pathsOf();
  expect(paths).toHaveLength(100);
  expect([paths[0], paths.at(-1)]).toEqual(["p/103", "p/4"]);
});

test("the marker tells whether there is an upload of any scope", async () => {
  const store = createResumeStore(runtime);
  await store.save(anUpload("p/1"));
  await store.save(anUpload("p/2", { scope: "/other" }));
  expect(hasResumeMarker()).toBe(true);
  await store.remove("p/1");
  expect(hasResumeMarker()).toBe(true);
  await store.remove("p/2");
  expect(hasResumeMarker()).toBe(false);
});

test("saves an upload without its handle if the browser cannot store the handle", async () => {
  const handle = { getFile: () => {} } as unknown as FileSystemFileHandle;
  const store = createResumeStore(runtime);
  await store.save({ ...anUpload("p/1"), handle });
  const [saved] = await store.list("/api/upload");
  expect(saved).toMatchObject({ path: "p/1" });
  expect(saved).not.toHaveProperty("handle");
});

/** A browser whose IndexedDB has a problem. */
const broken: [string, () => void][] = [
  ["is missing", () => vi.stubGlobal("indexedDB", undefined)],
  [
    "is refused to the page",
    () =>
      vi.stubGlobal("indexedDB", {
        open() {
          throw new DOMException("denied", "SecurityError");
        },
      }),
  ],
  [
    "is full",
    () =>
      vi.spyOn(fake.IDBObjectStore.prototype, "put").mockImplementation(() => {
        throw new DOMException("full", "QuotaExceededError");
      }),
  ],
  [
    "refuses local storage too",
    () => {
      vi.stubGlobal("indexedDB", undefined);
      vi.stubGlobal("localStorage", undefined);
    },
  ],
];

test.each(broken)("remembers nothing and throws nothing where IndexedDB %s", async (_, spoil) => {
  spoil();
  const store = createResumeStore(runtime);
  await store.save(anUpload("p/1"));
  await store.remove("p/2");
  expect(await store.list("/api/upload")).toEqual([]);
  expect(hasResumeMarker()).toBe(false);
  vi.restoreAllMocks();
});

test("remembers nothing where another page has a newer version of the database, and does not touch it", async () => {
  const newer = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open("stowage-uploads", 7);
    request.addEventListener("success", () => resolve(request.result));
  });
  const store = createResumeStore(runtime);
  await store.save(anUpload("p/1"));
  expect(await store.list("/api/upload")).toEqual([]);
  expect(newer.version).toBe(7);
});

test("leaves no connection open, so that lists that are gone hold none and a newer version can upgrade the database", async () => {
  const opened = vi.spyOn(indexedDB, "open");
  const closed = vi.spyOn(fake.IDBDatabase.prototype, "close");
  await createResumeStore(runtime).save(anUpload("p/1"));
  expect(await createResumeStore(runtime).list("/api/upload")).toHaveLength(1);
  expect(opened).toHaveBeenCalledTimes(2);
  expect(closed).toHaveBeenCalledTimes(2);
  vi.restoreAllMocks();
  const version = await new Promise((resolve) => {
    const request = indexedDB.open("stowage-uploads", 2);
    request.addEventListener("success", () => resolve(request.result.version));
  });
  expect(version).toBe(2);
});

test("gives up after two seconds where IndexedDB never answers", async () => {
  vi.stubGlobal("indexedDB", { open: () => new fake.IDBOpenDBRequest() });
  const clock = aRuntime();
  const list = createResumeStore(clock).list("/api/upload");
  await expect.poll(() => clock.pendingMs()).toEqual([2000]);
  clock.advance(2000);
  expect(await list).toEqual([]);
  expect(clock.pendingMs()).toEqual([]);
});
