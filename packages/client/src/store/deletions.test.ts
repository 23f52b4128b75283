import { afterEach, beforeEach, expect, test } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile } from "../../test/runtime.js";
import { aStoreAt, ended, settled, statuses } from "../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

test("deletes removed files on the server when asked, and takes a missing file as deleted", async () => {
  const store = aStoreAt(backend);
  store.add([aFile("a"), aFile("b"), aFile("c")]);
  await settled(store);
  store.remove("1");
  expect(backend.stored.size).toBe(3);
  store.remove("2", { delete: true });
  expect(statuses(store)).toEqual(["deleting", "done"]);
  await expect.poll(() => statuses(store)).toEqual(["done"]);
  expect(backend.stored.size).toBe(2);
  backend.stored.clear();
  store.configure({ endpoint: backend.endpoint, deleteOnRemove: true });
  store.removeAll();
  await expect.poll(() => statuses(store)).toEqual([]);
  expect(backend.of("delete")).toHaveLength(2);
});

test("shows a file as done again, with the reason, when it cannot be deleted", async () => {
  backend.nextAnswers.delete.push({ status: 403, body: { code: "delete_refused" } });
  const store = aStoreAt(backend, { deleteOnRemove: true });
  store.add([aFile()]);
  await ended(store, "done");
  store.remove("1");
  await expect
    .poll(() => store.getSnapshot().items[0])
    .toMatchObject({
      status: "done",
      error: { code: "delete_refused", message: "This file cannot be deleted." },
    });
  store.remove("1", { delete: false });
  expect(statuses(store)).toEqual([]);
});
