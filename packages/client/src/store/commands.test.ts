import { afterEach, beforeEach, expect, test } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile } from "../../test/runtime.js";
import { aMoment, aStoreAt, ended, settled, statuses } from "../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

test("stops a cancelled file at any step, and uploads it when a person retries", async () => {
  for (const step of ["request", "put", "complete"] as const) {
    backend.nextAnswers[step].push("hang");
    const store = aStoreAt(backend);
    store.add([aFile()]);
    const before = backend.of(step).length;
    await expect.poll(() => backend.of(step).length).toBe(before + 1);
    store.cancel("1");
    expect(statuses(store)).toEqual(["cancelled"]);
    const uploadCalls = () => backend.calls.filter((call) => call.step !== "cancel");
    const { length } = uploadCalls();
    await aMoment();
    expect(uploadCalls()).toHaveLength(length);
    expect(statuses(store)).toEqual(["cancelled"]);
    store.retry("1");
    await ended(store, "done");
  }
});

test("removes one file, and clears only the files that have ended", async () => {
  const store = aStoreAt(backend);
  store.add([aFile("a"), aFile("b")]);
  store.remove("1");
  await ended(store, "done");
  backend.nextAnswers.request.push("hang");
  store.add([aFile("c")]);
  store.clear();
  expect(store.getSnapshot().items.map((item) => item.name)).toEqual(["c"]);
  store.cancelAll();
  expect(statuses(store)).toEqual(["cancelled"]);
});

test("keeps files queued until start, and starts only those that are in the list then", async () => {
  const store = aStoreAt(backend, { autoStart: false });
  store.add([aFile("a"), aFile("b")]);
  await aMoment();
  expect(statuses(store)).toEqual(["queued", "queued"]);
  expect(store.getSnapshot().totals.active).toBe(2);
  store.start();
  await ended(store, "done", "done");
  store.add([aFile("c")]);
  await aMoment();
  expect(statuses(store)).toEqual(["done", "done", "queued"]);
});

test("retries all failed files that may succeed, and no cancelled ones", async () => {
  backend.nextAnswers.request.push({ status: 401 }, { status: 401 });
  const store = aStoreAt(backend, { concurrency: 1, maxSize: 1000 });
  store.add([aFile("a"), aFile("b"), aFile("large", 1001)]);
  await ended(store, "failed", "failed", "failed");
  store.add([aFile("c")]);
  store.cancel("4");
  store.retryAll();
  await settled(store);
  expect(statuses(store)).toEqual(["done", "done", "failed", "cancelled"]);
});

test("resets to an empty list, cancels active files, and deletes nothing", async () => {
  const store = aStoreAt(backend, { deleteOnRemove: true });
  store.add([aFile()]);
  await ended(store, "done");
  backend.nextAnswers.put.push("hang");
  store.add([aFile(), aFile()]);
  await expect.poll(() => backend.of("put")).toHaveLength(3);
  store.reset();
  expect(store.getSnapshot()).toMatchObject({ items: [], totals: { files: 0, active: 0, totalBytes: 0 } });
  const { length } = backend.calls;
  await aMoment();
  expect(backend.of("delete")).toEqual([]);
  const others = backend.calls.slice(length).filter(({ step }) => step !== "cancel");
  expect(others.length).toBeLessThanOrEqual(1);
  expect(statuses(store)).toEqual([]);
});
