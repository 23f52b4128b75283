import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile } from "../../test/runtime.js";
import { aStoreAt, ended, failureOf, settled, statuses } from "../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

const bodyOf = (index: number) => JSON.parse(backend.of("request")[index]?.body ?? "") as unknown;

const aTimedFile = (name: string) => new File(["abc"], name, { lastModified: 1 });

test("lists a file that breaks a limit as failed for good, and sends none of its bytes", async () => {
  const onFailed = vi.fn();
  const store = aStoreAt(backend, { accept: ".jpg", maxSize: 2000, minSize: 10, maxFiles: 1, onFailed });
  store.add([aFile("a.txt"), aFile("b.jpg", 2001), aFile("c.jpg", 9), aFile("d.jpg"), aFile("e.jpg")]);
  await ended(store, "failed", "failed", "failed", "done", "failed");
  const codes = [0, 1, 2, 4].map((index) => failureOf(store, index)?.code);
  expect(codes).toEqual(["file_type_not_accepted", "file_too_large", "file_too_small", "too_many_files"]);
  expect(failureOf(store, 0)?.canRetry).toBe(false);
  expect(onFailed).toHaveBeenCalledTimes(4);
  store.retry("1");
  expect(statuses(store)[0]).toBe("failed");
  expect(backend.of("request")).toHaveLength(1);
});

test("does not count refused and removed files toward maxFiles", async () => {
  const store = aStoreAt(backend, { accept: ".jpg", maxFiles: 2 });
  store.add([aFile("a.txt"), aFile("b.jpg"), aFile("c.jpg")]);
  await ended(store, "failed", "done", "done");
  store.remove("2");
  store.add([aFile("d.jpg")]);
  await ended(store, "failed", "done", "done");
  expect(failureOf(store, 0)?.code).toBe("file_type_not_accepted");
});

test("counts files over the whole session: cleared files count, removed files do not", async () => {
  const store = aStoreAt(backend, { maxFiles: 2 });
  store.add([aFile("a"), aFile("b"), aFile("c")]);
  await ended(store, "done", "done", "failed");
  store.clear();
  expect(statuses(store)).toEqual([]);
  store.add([aFile("d")]);
  expect(failureOf(store)?.code).toBe("too_many_files");

  store.reset();
  store.add([aFile("e"), aFile("f")]);
  await ended(store, "done", "done");
  store.remove(store.getSnapshot().items[0]?.id ?? "");
  store.add([aFile("g"), aFile("h")]);
  await ended(store, "done", "done", "failed");
});

test("does not count a failed file, and checks it again when a person retries", async () => {
  backend.nextAnswers.request.push({ status: 401 });
  const store = aStoreAt(backend, { maxFiles: 2, concurrency: 1 });
  store.add([aFile("a"), aFile("b")]);
  await ended(store, "failed", "done");
  store.add([aFile("c")]);
  await ended(store, "failed", "done", "done");
  store.retry("1");
  await ended(store, "failed", "done", "done");
  expect(failureOf(store)?.code).toBe("too_many_files");
  expect(backend.stored.size).toBe(2);
});

test("refuses a retried file immediately while it breaks a limit, and queues it once there is room", async () => {
  const onFailed = vi.fn();
  const validate = vi.fn();
  const store = aStoreAt(backend, { maxFiles: 2, maxTotalSize: "3KB", onFailed, validate });
  store.add([aFile("a", 1000), aFile("b", 2500), aFile("c", 1000), aFile("d", 1000)]);
  await ended(store, "done", "failed", "done", "failed");
  expect(failureOf(store, 1)).toMatchObject({ code: "total_size_exceeded", canRetry: true });
  expect(failureOf(store, 3)).toMatchObject({ code: "too_many_files", canRetry: true });
  validate.mockClear();
  store.retryAll();
  // They are refused without a call of `validate` or of the backend.
  expect(statuses(store)).toEqual(["done", "failed", "done", "failed"]);
  expect(validate).not.toHaveBeenCalled();
  expect(onFailed).toHaveBeenCalledTimes(4);
  store.remove("1");
  store.retryAll();
  await ended(store, "failed", "done", "done");
  expect(failureOf(store, 0)).toMatchObject({ code: "total_size_exceeded" });
});

test("replaces the single file again and again, and deletes none on the server", async () => {
  const store = aStoreAt(backend, { maxFiles: 1, accept: ".jpg", deleteOnRemove: true });
  for (const name of ["a.jpg", "b.jpg", "c.jpg"]) {
    store.add([aFile(name)]);
    await ended(store, "done");
    expect(store.getSnapshot().items[0]?.name).toBe(name);
  }
  expect(backend.stored.size).toBe(3);
  expect(backend.of("delete")).toEqual([]);
  expect(bodyOf(2)).toMatchObject({ files_before: 0 });

  store.clear();
  store.add([aFile("d.jpg")]);
  await ended(store, "done");
  backend.nextAnswers.put.push("hang");
  store.add([aFile("e.jpg")]);
  await expect.poll(() => backend.of("put")).toHaveLength(5);
  store.cancelAll();
  store.add([aFile("f.jpg")]);
  await ended(store, "done");
});

test("takes the first of several files where one is allowed, and does not replace an active file", async () => {
  const store = aStoreAt(backend, { maxFiles: 1 });
  store.add([aFile("a"), aFile("b")]);
  expect(statuses(store)).toEqual(["preparing", "failed"]);
  store.add([aFile("c")]);
  await ended(store, "done", "failed");
  expect(failureOf(store, 1)).toMatchObject({ code: "too_many_files", canRetry: true });
  store.add([aFile("d"), aFile("e")]);
  expect(store.getSnapshot().items.map(({ name, status }) => [name, status])).toEqual([
    ["d", "preparing"],
    ["e", "failed"],
  ]);
  await settled(store);
});

test("keeps the stored single file when the next file is refused, and shows only the last refusal", async () => {
  const store = aStoreAt(backend, { maxFiles: 1, accept: ".jpg" });
  store.add([aFile("a.jpg")]);
  await ended(store, "done");
  store.add([aFile("b.txt")]);
  store.add([]);
  store.add([aFile("c.txt")]);
  expect(store.getSnapshot().items.map(({ name }) => name)).toEqual(["a.jpg", "c.txt"]);
  store.add([aFile("d.jpg")]);
  await ended(store, "done");
  expect(store.getSnapshot().items[0]?.name).toBe("d.jpg");
});

test("refuses a file that would make the total too large, and takes a smaller one", async () => {
  const store = aStoreAt(backend, { maxTotalSize: "2KB" });
  store.add([aFile("a", 1500), aFile("b", 600), aFile("c", 500)]);
  await ended(store, "done", "failed", "done");
  expect(failureOf(store, 1)).toMatchObject({
    code: "total_size_exceeded",
    message: "You can upload at most 2 kB. Remove another file first.",
  });
});

test("skips or refuses a duplicate, unless the first one failed or was cancelled", async () => {
  const both = [aTimedFile("a"), aTimedFile("a")];
  const allowing = aStoreAt(backend);
  allowing.add(both);
  await ended(allowing, "done", "done");

  const skipping = aStoreAt(backend, { duplicates: "skip" });
  skipping.add(both);
  skipping.add([aTimedFile("a"), aTimedFile("b")]);
  await ended(skipping, "done", "done");

  const refusing = aStoreAt(backend, { duplicates: "refuse", autoStart: false });
  refusing.add(both);
  expect(failureOf(refusing, 1)).toMatchObject({ code: "duplicate_file", canRetry: false });
  refusing.cancel("1");
  refusing.add([aTimedFile("a")]);
  expect(statuses(refusing)).toEqual(["cancelled", "failed", "queued"]);
  expect(backend.of("request")).toHaveLength(4);
});

test("takes files of the same name in two folders as two files", () => {
  const inFolder = (path: string) => Object.assign(aTimedFile("a.jpg"), { relativePath: path });
  const store = aStoreAt(backend, { duplicates: "skip", autoStart: false });
  store.add([inFolder("./x/a.jpg"), inFolder("/y/a.jpg"), inFolder("./a.jpg")]);
  expect(store.getSnapshot().items.map((item) => item.path)).toEqual(["x/a.jpg", "y/a.jpg", ""]);
});

test("counts toward maxTotalSize what transform returned, not the original files", async () => {
  const store = aStoreAt(backend, {
    maxTotalSize: 1000,
    transform: (file) => file.slice(0, 400),
  });
  store.add([aFile("a", 5000), aFile("b", 5000), aFile("c", 5000), aFile("d", 5000)]);
  await ended(store, "done", "done", "failed", "failed");
  expect(failureOf(store, 2)?.code).toBe("total_size_exceeded");
});
