import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aFile } from "../../../test/runtime.js";
import { aMoment, aStoreAt, ended, settled, statuses } from "../../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

test("uploads six files at the same time by default, or as many as concurrency says", async () => {
  const store = aStoreAt(backend);
  store.add(Array.from({ length: 12 }, () => aFile("x", 100_000)));
  expect(store.getSnapshot().items.filter((item) => item.status === "queued")).toHaveLength(6);
  await settled(store);
  expect(backend.stored.size).toBe(12);
  expect(backend.mostParallelPuts()).toBeLessThanOrEqual(6);

  const single = aStoreAt(backend, { concurrency: 1 });
  single.add([aFile(), aFile()]);
  expect(statuses(single)).toEqual(["preparing", "queued"]);
  await settled(single);
});

test("starts the next file while one is confirmed, and lets at most two files per slot wait for confirmation", async () => {
  backend.nextAnswers.complete.push("hang", "hang");
  const store = aStoreAt(backend, { concurrency: 1 });
  store.add([aFile("a"), aFile("b"), aFile("c")]);
  await vi.waitFor(() => expect(backend.of("complete")).toHaveLength(2));
  await aMoment();
  expect(statuses(store)).toEqual(["confirming", "confirming", "queued"]);
  expect(backend.steps()).toEqual(["request", "put", "complete", "request", "put", "complete"]);
  store.cancel(store.getSnapshot().items[0]!.id);
  await vi.waitFor(() => expect(statuses(store)[2]).toBe("done"));
});

test("gives the slot of a cancelled file to the next one", async () => {
  backend.nextAnswers.put.push("hang");
  const store = aStoreAt(backend, { concurrency: 1 });
  store.add([aFile("stuck"), aFile("next")]);
  await vi.waitFor(() => expect(backend.of("put")).toHaveLength(1));
  store.cancel("1");
  await ended(store, "cancelled", "done");
});

test("gives the slot of a cancelled file away even if the page's code never ends", async () => {
  const store = aStoreAt(backend, {
    concurrency: 1,
    validate: (file) => (file.name === "stuck" ? new Promise<null>(() => {}) : null),
  });
  store.add([aFile("stuck"), aFile("next")]);
  await aMoment();
  expect(statuses(store)).toEqual(["preparing", "queued"]);
  store.cancel("1");
  await ended(store, "cancelled", "done");
});
