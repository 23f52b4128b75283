import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntime } from "../../test/runtime.js";
import { aStoreAt, ended, statuses } from "../../test/store.js";
import { createUploadStore } from "./upload-store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

test("requests a ticket, PUTs the bytes, and is done when the service has confirmed the file", async () => {
  const onUploaded = vi.fn();
  const store = aStoreAt(backend, { onUploaded });
  const seen = new Set<string>();
  store.subscribe(() => statuses(store).forEach((status) => seen.add(status)));
  store.add([aFile("a.jpg", 200_000)]);
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
  expect([...seen].at(-1)).toBe("done");
  expect(onUploaded).toHaveBeenCalledOnce();
  expect(onUploaded.mock.calls[0]?.[0]).toMatchObject({
    size: 200_000,
    status: "stored",
    content_type: "image/jpeg",
  });
});

test("uploads an empty file", async () => {
  const store = aStoreAt(backend);
  store.add([aFile("empty.txt", 0)]);
  await ended(store, "done");
  expect([...backend.stored.values()]).toEqual([{ size: 0, contentType: "image/jpeg" }]);
});

test("lists two files of the same name, type and size as two items", async () => {
  const store = aStoreAt(backend);
  store.add([aFile(), aFile()]);
  await ended(store, "done", "done");
  const [first, second] = store.getSnapshot().items;
  expect(first?.id).not.toBe(second?.id);
  expect(backend.stored.size).toBe(2);
});

test("waits as long as Retry-After says, and shows the pause", async () => {
  backend.nextAnswers.request.push({ status: 500, headers: { "Retry-After": "20" } });
  const runtime = aRuntime({ random: 0 });
  const store = aStoreAt(backend, {}, runtime);
  store.add([aFile()]);
  await expect.poll(() => runtime.pendingMs()).toEqual([20_000]);
  await expect
    .poll(() => store.getSnapshot().items[0])
    .toMatchObject({ status: "requesting", retry: { attempt: 2, delayMs: 20_000 } });
  runtime.advance(19_999);
  expect(backend.calls).toHaveLength(1);
  runtime.advance(1);
  await ended(store, "done");
});

test("refuses settings without a backend, or with a size that is not valid", () => {
  expect(() => createUploadStore({})).toThrow(TypeError);
  expect(() => createUploadStore({ endpoint: "/x", maxSize: "4 apples" as "4MB" })).toThrow(TypeError);
});

test("gives the page what onComplete returned, apart from the file", async () => {
  backend.settings.result = { id: 7 };
  const onUploaded = vi.fn();
  const store = aStoreAt(backend, { onUploaded });
  store.add([aFile()]);
  await ended(store, "done");
  const [item] = store.getSnapshot().items;
  expect(item).toMatchObject({ data: { id: 7 }, result: { size: 1000 } });
  expect(item).not.toHaveProperty("result.result");
  expect(onUploaded).toHaveBeenCalledWith(expect.objectContaining({ size: 1000 }), item);
});
