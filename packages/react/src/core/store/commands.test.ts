import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aFile, aHurriedRuntime } from "../../../test/runtime.js";
import { aMoment, aStoreAt, ended, failureOf, settled, statuses } from "../../../test/store.js";
import { createUploadStore } from "./upload-store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());
const bodyOf = (index: number) => JSON.parse(backend.of("request")[index]?.body ?? "") as unknown;
const aTimedFile = (name: string) => new File(["abc"], name, { lastModified: 1 });

it("needs to know where the backend is", () => {
  expect(() => createUploadStore({})).toThrow(TypeError);
  expect(() => createUploadStore({ endpoint: "/x", maxSize: "4 apples" as "4MB" })).toThrow(TypeError);
});

it("tells the backend route, input and how many files the session has before this one", async () => {
  const store = aStoreAt(backend, {
    route: "avatar",
    input: (file: File) => ({ album: file.name }),
    concurrency: 1,
  });
  store.add([aFile("a"), aFile("b")]);
  await settled(store);
  expect(bodyOf(0)).toMatchObject({ route: "avatar", input: { album: "a" }, files_before: 0 });
  expect(bodyOf(1)).toMatchObject({ route: "avatar", input: { album: "b" }, files_before: 1 });
});

it("hands on what onComplete returned beside the file", async () => {
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

it("learns the route's limits, shows them, and lets the page's own stand before them", async () => {
  backend.settings.routes = { avatar: { accept: ["image/*"], max_size: 500, max_files: 2 } };
  const store = aStoreAt(backend, { route: "avatar", maxSize: "1KB" });
  store.subscribe(() => {});
  await vi.waitFor(() => expect(store.getSnapshot().limits.maxFiles).toBe(2));
  expect(store.getSnapshot().limits).toMatchObject({ accept: ["image/*"], maxSize: 1024 });
  store.add([aFile("notes.txt", 1, "text/plain")]);
  expect(failureOf(store)?.code).toBe("file_type_not_accepted");
  expect(backend.of("routes")).toHaveLength(1);
});

it("judges again, before it asks for a URL, what was added before the limits were known", async () => {
  backend.settings.routes = { avatar: { max_size: 500, max_files: 1 } };
  let isReady: () => void = () => {};
  const store = aStoreAt(backend, {
    route: "avatar",
    validate: () => new Promise<null>((resolve) => (isReady = () => resolve(null))),
    concurrency: 1,
  });
  store.add([aFile("large", 501), aFile("small", 1)]);
  await vi.waitFor(() => expect(store.getSnapshot().limits.maxSize).toBe(500));
  isReady();
  await vi.waitFor(() => expect(statuses(store)).toEqual(["failed", "preparing"]));
  expect(failureOf(store)?.code).toBe("file_too_large");
  expect(backend.of("request")).toHaveLength(0);
  store.cancelAll();
});

it("tries a few times to learn the limits, and uploads without them", async () => {
  backend.nextAnswers.routes.push(...Array.from({ length: 9 }, () => "cut" as const));
  const store = aStoreAt(backend, { route: "avatar" });
  store.add([aFile()]);
  await ended(store, "done");
  await vi.waitFor(() => expect(backend.of("routes").length).toBeGreaterThanOrEqual(5));
  await aMoment();
  expect(backend.of("routes")).toHaveLength(5);
});

it("counts files over the whole session: cleared ones too, but not those that were taken out", async () => {
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

it("gives the place of a failed or cancelled file to others, and asks for it back on a retry", async () => {
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

it("judges one file too many again when a person tries it again, and takes it once there is a place", async () => {
  const onFailed = vi.fn();
  const validate = vi.fn();
  const store = aStoreAt(backend, { maxFiles: 2, maxTotalSize: "3KB", onFailed, validate });
  store.add([aFile("a", 1000), aFile("b", 2500), aFile("c", 1000), aFile("d", 1000)]);
  await ended(store, "done", "failed", "done", "failed");
  expect(failureOf(store, 1)).toMatchObject({ code: "total_size_exceeded", canRetry: true });
  expect(failureOf(store, 3)).toMatchObject({ code: "too_many_files", canRetry: true });
  validate.mockClear();
  store.retryAll();
  // No need to ask the page, or anybody, about these.
  expect(statuses(store)).toEqual(["done", "failed", "done", "failed"]);
  expect(validate).not.toHaveBeenCalled();
  expect(onFailed).toHaveBeenCalledTimes(4);
  store.remove("1");
  store.retryAll();
  await ended(store, "failed", "done", "done");
  expect(failureOf(store, 0)).toMatchObject({ code: "total_size_exceeded" });
});

it("lets a single file be changed, again and again, and deletes none of them on the server", async () => {
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
  await vi.waitFor(() => expect(backend.of("put")).toHaveLength(5));
  store.cancelAll();
  store.add([aFile("f.jpg")]);
  await ended(store, "done");
});

it("takes the first of several for the single file, and lets one under way have its place", async () => {
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

it("keeps the single file when what is chosen next is refused, and no refusal but the last", async () => {
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

it("refuses what would make all files together too large, and takes a smaller one", async () => {
  const store = aStoreAt(backend, { maxTotalSize: "2KB" });
  store.add([aFile("a", 1500), aFile("b", 600), aFile("c", 500)]);
  await ended(store, "done", "failed", "done");
  expect(failureOf(store, 1)).toMatchObject({
    code: "total_size_exceeded",
    message: "Only 2 kB can be uploaded. Remove another one first.",
  });
});

it("skips or refuses a file that is there already, unless that one failed or was cancelled", async () => {
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

it("takes files of the same name in two folders for two files", () => {
  const inFolder = (path: string) => Object.assign(aTimedFile("a.jpg"), { relativePath: path });
  const store = aStoreAt(backend, { duplicates: "skip", autoStart: false });
  store.add([inFolder("./x/a.jpg"), inFolder("/y/a.jpg"), inFolder("./a.jpg")]);
  expect(store.getSnapshot().items.map((item) => item.path)).toEqual(["x/a.jpg", "y/a.jpg", ""]);
});

it("asks the page about each file, in its turn, and sends what the page makes of it", async () => {
  const store = aStoreAt(backend, {
    validate: (file) => (file.name === "b.jpg" ? "Too dark." : null),
    transform: () => new Blob(["webp"], { type: "image/webp" }),
    maxSize: 100,
  });
  store.add([aFile("a.jpg", 5000), aFile("b.jpg")]);
  expect(statuses(store)).toEqual(["preparing", "preparing"]);
  await ended(store, "done", "failed");
  expect(failureOf(store, 1)).toMatchObject({ code: "file_refused", message: "Too dark.", canRetry: false });
  expect(store.getSnapshot().items[0]).toMatchObject({ size: 4, name: "a.jpg", sentBytes: 4 });
  expect(bodyOf(0)).toMatchObject({ filename: "a.jpg", content_type: "image/webp", size: 4 });
  expect([...backend.stored.values()]).toEqual([{ size: 4, contentType: "image/webp" }]);
});

it("judges the size of what transform made", async () => {
  const store = aStoreAt(backend, { transform: (file) => file, maxSize: 100 });
  store.add([aFile("a.jpg", 5000)]);
  await ended(store, "failed");
  expect(failureOf(store)?.code).toBe("file_too_large");
  expect(backend.calls).toEqual([]);
});

it("lets a person try again when the page's own code threw", async () => {
  let isBroken = true;
  const store = aStoreAt(backend, {
    transform(file) {
      if (isBroken) throw new Error("no canvas");
      return file;
    },
  });
  store.add([aFile()]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "transform_failed", canRetry: true });
  isBroken = false;
  store.retry("1");
  await ended(store, "done");
});

it("keeps files until it is told to start, and then sends those that are there", async () => {
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

it("retries all that failed and may be tried again, and leaves the others", async () => {
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

it("deletes on the server what is removed, when asked, and takes one that is gone for deleted", async () => {
  const store = aStoreAt(backend);
  store.add([aFile("a"), aFile("b"), aFile("c")]);
  await settled(store);
  store.remove("1");
  expect(backend.stored.size).toBe(3);
  store.remove("2", { delete: true });
  expect(statuses(store)).toEqual(["deleting", "done"]);
  await vi.waitFor(() => expect(statuses(store)).toEqual(["done"]));
  expect(backend.stored.size).toBe(2);
  backend.stored.clear();
  store.configure({ endpoint: backend.endpoint, deleteOnRemove: true });
  store.removeAll();
  await vi.waitFor(() => expect(statuses(store)).toEqual([]));
  expect(backend.of("delete")).toHaveLength(2);
});

it("shows a file as done again, with the reason, when it could not be deleted", async () => {
  backend.nextAnswers.delete.push({ status: 403, body: { code: "delete_refused" } });
  const store = aStoreAt(backend, { deleteOnRemove: true });
  store.add([aFile()]);
  await ended(store, "done");
  store.remove("1");
  await vi.waitFor(() =>
    expect(store.getSnapshot().items[0]).toMatchObject({
      status: "done",
      error: { code: "delete_refused", message: "This file cannot be deleted." },
    }),
  );
  store.remove("1", { delete: false });
  expect(statuses(store)).toEqual([]);
});

it("resets to an empty list, cancels what is on its way, and deletes nothing", async () => {
  const store = aStoreAt(backend, { deleteOnRemove: true });
  store.add([aFile()]);
  await ended(store, "done");
  backend.nextAnswers.put.push("hang");
  store.add([aFile(), aFile()]);
  await vi.waitFor(() => expect(backend.of("put")).toHaveLength(3));
  store.reset();
  expect(store.getSnapshot()).toMatchObject({ items: [], totals: { files: 0, active: 0, totalBytes: 0 } });
  const { length } = backend.calls;
  await aMoment();
  expect(backend.of("delete")).toEqual([]);
  expect(backend.calls.length - length).toBeLessThanOrEqual(1);
  expect(statuses(store)).toEqual([]);
});

it("says when the last file has come to its end, each time", async () => {
  const onSettled = vi.fn();
  const store = aStoreAt(backend, { onSettled, maxSize: 2000 });
  store.add([aFile("large", 2001)]);
  expect(onSettled).not.toHaveBeenCalled();
  store.add([aFile("a"), aFile("b")]);
  await settled(store);
  await vi.waitFor(() => expect(onSettled).toHaveBeenCalledTimes(1));
  expect(onSettled).toHaveBeenCalledWith(store.getSnapshot());
  store.add([aFile("c")]);
  store.cancelAll();
  expect(onSettled).toHaveBeenCalledTimes(2);
});

it("is not disturbed by a transport that goes on after it was told to stop", async () => {
  const answers: (() => void)[] = [];
  const late = <Result>(result: Result) =>
    new Promise<Result>((resolve) => answers.push(() => resolve(result)));
  const file = { file_path: "x", size: 1000 } as never;
  const transport = {
    request: () =>
      late({ presigned_url: new URL("/x", backend.endpoint).href, file_path: "x", headers: {} } as never),
    complete: () => late(file),
  };
  const onUploaded = vi.fn();
  const store = aStoreAt(backend, { transport, onUploaded, concurrency: 1 }, aHurriedRuntime());
  store.add([aFile()]);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  answers.shift()?.();
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  // Confirming: the answer that says done comes after the cancellation.
  store.cancel("1");
  answers.shift()?.();
  await aMoment();
  expect(statuses(store)).toEqual(["cancelled"]);
  expect(onUploaded).not.toHaveBeenCalled();

  // And one of an earlier run comes while a later one is under way.
  store.retry("1");
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  const ofEarlierRun = answers.shift();
  store.cancel("1");
  store.retry("1");
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  ofEarlierRun?.();
  await aMoment();
  expect(statuses(store)).toEqual(["confirming"]);
  expect(onUploaded).not.toHaveBeenCalled();
  answers.shift()?.();
  await ended(store, "done");
});

it("gives the place of a cancelled file away, even if the page's code never ends", async () => {
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

it("repeats complete alone when the page's backend failed at its own part, and only when told to", async () => {
  backend.nextAnswers.complete.push({ status: 500, body: { code: "callback_failed" } });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "callback_failed", canRetry: true });
  store.retry("1");
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete", "complete"]);
});
