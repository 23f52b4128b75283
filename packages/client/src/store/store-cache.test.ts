import { expect, test } from "vitest";
import { aFile, aRuntime } from "../../test/runtime.js";
import { createFakeTransport } from "../testing/index.js";
import { createStoreCache } from "./store-cache.js";
import { createUploadStore, type UploadStore } from "./upload-store.js";

function aCache() {
  const runtime = aRuntime();
  const cache = createStoreCache({ keepMs: 60_000 }, runtime);
  const transport = createFakeTransport();
  const create = () => createUploadStore({ transport }, runtime);
  const mount = () => cache.claim("a key", cache.findFree("a key") ?? create(), create);
  return { runtime, cache, transport, create, mount };
}

const names = (store: UploadStore | undefined) => store?.getSnapshot().items.map(({ name }) => name);
const isIdle = (store: UploadStore) => expect.poll(() => store.isRunning()).toBe(false);

test("keeps a list without a component for a while after its last upload, and then releases it", async () => {
  const { runtime, cache, transport, mount } = aCache();
  const put = transport.holdNext("put");
  const store = mount();
  store.add([aFile("a.jpg")]);
  await put.arrived;
  cache.release(store);
  runtime.advance(120_000);
  expect(names(cache.findFree("a key"))).toEqual(["a.jpg"]);
  put.release();
  await isIdle(store);
  await expect.poll(() => names(cache.findFree("a key"))).toEqual(["a.jpg"]);
  await expect.poll(() => runtime.pendingMs()).toContain(60_000);
  runtime.advance(60_000);
  expect(cache.findFree("a key")).toBeUndefined();
  expect(names(store)).toEqual([]);
  expect(transport.uploads).toMatchObject([{ name: "a.jpg", isStored: true }]);
});

test("releases an empty list at once, and keeps a list whose component came back in time", async () => {
  const { runtime, cache, mount } = aCache();
  cache.release(mount());
  expect(cache.findFree("a key")).toBeUndefined();
  const store = mount();
  store.add([aFile("a.jpg")]);
  await isIdle(store);
  cache.release(store);
  expect(mount()).toBe(store);
  runtime.advance(3600_000);
  expect(names(store)).toEqual(["a.jpg"]);
  expect(cache.getDetached()).toEqual([]);
});

test("gives a store to one component only, and each component that comes back its own", () => {
  const { cache, create } = aCache();
  const [first, second] = [create(), create()];
  expect(cache.claim("a key", first, create)).toBe(first);
  expect(cache.claim("a key", second, create)).toBe(second);
  for (const store of [first, second]) store.add([aFile()]);
  for (const store of [first, second]) cache.release(store);
  // Both components were rendered before one of them had claimed a store.
  const wanted = cache.findFree("a key")!;
  expect(cache.claim("a key", wanted, create)).toBe(first);
  expect(cache.claim("a key", wanted, create)).toBe(second);
  expect([first, second]).not.toContain(cache.claim("a key", wanted, create));
});

test("clears all lists, cancels what runs and deletes nothing", async () => {
  const { cache, transport, mount, create } = aCache();
  const shown = mount();
  shown.add([aFile("stored.jpg")]);
  await isIdle(shown);
  const put = transport.holdNext("put");
  const left = cache.claim("another key", create(), create);
  left.add([aFile("running.jpg")]);
  await put.arrived;
  cache.release(left);
  cache.clear();
  expect([names(shown), names(left)]).toEqual([[], []]);
  expect(cache.findFree("another key")).toBeUndefined();
  await expect.poll(() => transport.uploads.map(({ name }) => name)).toEqual(["stored.jpg"]);
});

test("keeps a bounded number of lists without running uploads", async () => {
  const { cache, create } = aCache();
  for (let index = 0; index < 25; index++) {
    const store = cache.claim(`key ${index}`, create(), create);
    store.add([aFile()]);
    await isIdle(store);
    cache.release(store);
  }
  expect(cache.getDetached()).toHaveLength(20);
  expect(cache.findFree("key 4")).toBeUndefined();
  expect(cache.findFree("key 5")).toBeDefined();
});
