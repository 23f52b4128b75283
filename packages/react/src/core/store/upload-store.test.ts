import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aFile, aHurriedRuntime, aRuntime } from "../../../test/runtime.js";
import { aMoment, aStoreAt, ended, failureOf, settled, statuses } from "../../../test/store.js";
import type { Runtime } from "../runtime.js";
import type { UploadSettings } from "../upload-settings.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

const aStore = (settings: Partial<UploadSettings> = {}, runtime: Runtime = aHurriedRuntime()) =>
  aStoreAt(backend, settings, runtime);

it("asks, sends and confirms; done means that the service saw the file", async () => {
  const onUploaded = vi.fn();
  const store = aStore({ onUploaded });
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

it("sends the headers of the ticket, and says nothing of a type it does not know", async () => {
  const store = aStore();
  store.add([aFile("notes", 3, "")]);
  await ended(store, "done");
  expect(JSON.parse(backend.of("request")[0]?.body ?? "")).toEqual({
    filename: "notes",
    size: 3,
    files_before: 0,
  });
  expect(backend.of("put")[0]?.headers).toMatchObject({
    "content-type": "application/octet-stream",
    "x-signed": "yes-1",
  });
});

it("uploads a file without a byte", async () => {
  const store = aStore();
  store.add([aFile("empty.txt", 0)]);
  await ended(store, "done");
  expect([...backend.stored.values()]).toEqual([{ size: 0, contentType: "image/jpeg" }]);
});

it("tells two files of the same name, type and size apart", async () => {
  const store = aStore();
  store.add([aFile(), aFile()]);
  await ended(store, "done", "done");
  const [first, second] = store.getSnapshot().items;
  expect(first?.id).not.toBe(second?.id);
  expect(backend.stored.size).toBe(2);
});

it("sends no more than six files at once, or as many as it is told", async () => {
  const store = aStore();
  store.add(Array.from({ length: 12 }, () => aFile("x", 100_000)));
  expect(store.getSnapshot().items.filter((item) => item.status === "queued")).toHaveLength(6);
  await settled(store);
  expect(backend.stored.size).toBe(12);
  expect(backend.mostPutsAtOnce()).toBeLessThanOrEqual(6);

  const single = aStore({ concurrency: 1 });
  single.add([aFile(), aFile()]);
  expect(statuses(single)).toEqual(["preparing", "queued"]);
  await settled(single);
});

it("sends the next file while the last one is confirmed, and has no more than as many again confirmed", async () => {
  backend.nextAnswers.complete.push("hang", "hang");
  const store = aStore({ concurrency: 1 });
  store.add([aFile("a"), aFile("b"), aFile("c")]);
  await vi.waitFor(() => expect(backend.of("complete")).toHaveLength(2));
  await aMoment();
  expect(statuses(store)).toEqual(["confirming", "confirming", "queued"]);
  expect(backend.steps()).toEqual(["request", "put", "complete", "request", "put", "complete"]);
  store.cancel(store.getSnapshot().items[0]!.id);
  await vi.waitFor(() => expect(statuses(store)[2]).toBe("done"));
});

it("uses a URL again while it is good, so that no file is stored twice", async () => {
  backend.nextAnswers.put.push("cut", { status: 500 });
  const store = aStore();
  store.add([aFile()]);
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "put", "put", "complete"]);
  expect(backend.stored.size).toBe(1);
});

it("gives up after five tries, with a message and a way to try again", async () => {
  backend.nextAnswers.request.push(...Array.from({ length: 5 }, () => ({ status: 500 })));
  const onFailed = vi.fn();
  const runtime = aHurriedRuntime();
  const store = aStore({ onFailed }, runtime);
  store.add([aFile()]);
  await ended(store, "failed");
  expect(backend.steps()).toEqual(Array.from({ length: 5 }, () => "request"));
  expect(runtime.pausesMs).toEqual([250, 500, 1000, 2000]);
  expect(failureOf(store)).toMatchObject({ code: "unavailable", status: 500, canRetry: true });
  expect(onFailed).toHaveBeenCalledOnce();

  store.retry("1");
  await ended(store, "done");
});

it("honours Retry-After", async () => {
  backend.nextAnswers.request.push({ status: 500, headers: { "Retry-After": "20" } });
  const runtime = aRuntime({ random: 0 });
  const store = aStore({}, runtime);
  store.add([aFile()]);
  await vi.waitFor(() => expect(runtime.pendingMs()).toEqual([20_000]));
  await vi.waitFor(() => {
    const [item] = store.getSnapshot().items;
    expect(item).toMatchObject({ status: "requesting", retry: { attempt: 2, delayMs: 20_000 } });
  });
  runtime.advance(19_999);
  expect(backend.calls).toHaveLength(1);
  runtime.advance(1);
  await ended(store, "done");
});

it("asks once more when storage refuses the URL, and takes a second refusal for final", async () => {
  backend.nextAnswers.put.push({ status: 403 });
  const store = aStore();
  store.add([aFile()]);
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete", "request", "put", "complete"]);

  backend.nextAnswers.put.push({ status: 403 }, { status: 403 });
  const refused = aStore();
  refused.add([aFile()]);
  await ended(refused, "failed");
  expect(failureOf(refused)).toMatchObject({ code: "storage_refused", status: 403 });
  expect(backend.of("put")).toHaveLength(4);
});

it.each([
  [401, "unauthorized", true],
  [403, "quota_exceeded", true],
  [400, "file_too_large", false],
  [400, "invalid_request", false],
])("does not repeat a request refused with %i %s", async (status, code, canRetry) => {
  backend.nextAnswers.request.push({ status, body: { detail: "No, because.", code } });
  const store = aStore();
  store.add([aFile()]);
  await ended(store, "failed");
  expect(backend.steps()).toEqual(["request"]);
  expect(failureOf(store)).toMatchObject({ code, canRetry });
});

it("repeats the confirmation alone when the bytes are there", async () => {
  backend.nextAnswers.complete.push({ status: 503 }, "cut", {
    status: 409,
    body: { detail: "Upload not found in storage", code: "upload_not_found" },
  });
  const store = aStore();
  store.add([aFile()]);
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete", "complete", "complete", "complete"]);
});

it("sends no byte twice when a person tries again after a failed confirmation", async () => {
  backend.nextAnswers.complete.push({ status: 401, body: { detail: "Unauthorized", code: "unauthorized" } });
  const store = aStore();
  store.add([aFile()]);
  await ended(store, "failed");
  store.retry("1");
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete", "complete"]);
});

it("stores a file once though storage took it, no answer came, and a person tries again", async () => {
  backend.nextAnswers.put.push("lost", "cut", "cut", "cut", "cut");
  const store = aStore();
  store.add([aFile()]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "network_error" });
  store.retry("1");
  await ended(store, "done");
  expect(backend.of("put")).toHaveLength(5);
  expect(backend.of("request")).toHaveLength(1);
  expect(backend.stored.size).toBe(1);
});

it("stores a file once though it was cancelled when storage had it already, and tried again", async () => {
  backend.nextAnswers.put.push("late");
  const store = aStore();
  store.add([aFile()]);
  await vi.waitFor(() => expect(backend.stored.size).toBe(1));
  store.cancel("1");
  store.retry("1");
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
  expect(backend.stored.size).toBe(1);
});

it("sends the bytes anew when they are gone by the time a person tries again", async () => {
  backend.nextAnswers.complete.push({ status: 401 });
  const store = aStore();
  store.add([aFile()]);
  await ended(store, "failed");
  backend.stored.clear();
  store.retry("1");
  await ended(store, "done");
  expect(backend.of("put")).toHaveLength(2);
});

it("never goes on with a cancelled file, wherever it was", async () => {
  for (const step of ["request", "put", "complete"] as const) {
    backend.nextAnswers[step].push("hang");
    const store = aStore();
    store.add([aFile()]);
    const before = backend.of(step).length;
    await vi.waitFor(() => expect(backend.of(step).length).toBe(before + 1));
    store.cancel("1");
    expect(statuses(store)).toEqual(["cancelled"]);
    const { length } = backend.calls;
    await aMoment();
    expect(backend.calls).toHaveLength(length);
    expect(statuses(store)).toEqual(["cancelled"]);
    store.retry("1");
    await ended(store, "done");
  }
});

it("gives a cancelled file's place to the next", async () => {
  backend.nextAnswers.put.push("hang");
  const store = aStore({ concurrency: 1 });
  store.add([aFile("stuck"), aFile("next")]);
  await vi.waitFor(() => expect(backend.of("put")).toHaveLength(1));
  store.cancel("1");
  await ended(store, "cancelled", "done");
});

it("lists a file that breaks a limit as failed, for good, and sends nothing of it", async () => {
  const onFailed = vi.fn();
  const store = aStore({ accept: ".jpg", maxSize: 2000, minSize: 10, maxFiles: 1, onFailed });
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

it("gives no place to refused files, and that of a removed one to another", async () => {
  const store = aStore({ accept: ".jpg", maxFiles: 2 });
  store.add([aFile("a.txt"), aFile("b.jpg"), aFile("c.jpg")]);
  await ended(store, "failed", "done", "done");
  store.remove("2");
  store.add([aFile("d.jpg")]);
  await ended(store, "failed", "done", "done");
  expect(failureOf(store, 0)?.code).toBe("file_type_not_accepted");
});

it("takes a URL that is none for an answer that makes no sense, and does not try it again", async () => {
  let requests = 0;
  const request = () => {
    requests++;
    return Promise.resolve({ presigned_url: "//", file_path: "x", headers: {}, expires_in: 60 } as never);
  };
  const store = aStore({ transport: { request, complete: request } });
  store.add([aFile()]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "unexpected_answer", status: 0, canRetry: true });
  expect(requests).toBe(1);
});

it("says so when a file was changed or moved, and does not try again", async () => {
  const gone = aFile();
  Object.defineProperty(gone, "slice", {
    value: () => ({ arrayBuffer: () => Promise.reject(new DOMException("gone", "NotReadableError")) }),
  });
  const store = aStore();
  store.add([gone]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "file_unreadable", canRetry: false });
  expect(backend.calls).toEqual([]);
});

it("keeps unchanged rows the same objects, and notifies some times a second for progress", async () => {
  let runFrame: (() => void) | null = null;
  const runtime = { ...aHurriedRuntime(), soon: (run: () => void) => ((runFrame = run), () => {}) };
  const store = aStore({ concurrency: 1 }, runtime);
  let notified = 0;
  store.subscribe(() => notified++);
  store.add([aFile("a", 500_000), aFile("b")]);
  expect(notified).toBe(1);
  const before = store.getSnapshot();
  await vi.waitFor(() => expect(backend.of("complete")).toHaveLength(2));
  expect(notified).toBe(1);
  expect(store.getSnapshot()).toBe(before);
  await aMoment();
  runFrame!();
  expect(notified).toBe(2);
  expect(statuses(store)).toEqual(["done", "done"]);

  const [first] = store.getSnapshot().items;
  store.add([aFile("c")]);
  expect(store.getSnapshot().items[0]).toBe(first);
});

it("never shows the total falling, whatever has to start over", async () => {
  backend.nextAnswers.put.push({ status: 503 }, "cut");
  const store = aStore();
  const shown: number[] = [];
  store.subscribe(() => shown.push(store.getSnapshot().totals.progress));
  store.add([aFile("a", 400_000), aFile("b", 300_000), aFile("c", 10)]);
  await settled(store);
  expect(shown).toEqual([...shown].sort((a, b) => a - b));
  expect(shown.at(-1)).toBe(1);
});

it("goes on when a callback of the page throws, and lets the error be seen", async () => {
  const thrown: unknown[] = [];
  const hurried = aHurriedRuntime();
  const runtime: Runtime = {
    ...hurried,
    after(delayMs, run) {
      return hurried.after(delayMs, () => {
        try {
          run();
        } catch (error) {
          thrown.push(error);
        }
      });
    },
  };
  const bug = new Error("bug of the page");
  const store = aStore(
    {
      concurrency: 1,
      onUploaded: () => {
        throw bug;
      },
    },
    runtime,
  );
  store.add([aFile(), aFile()]);
  await ended(store, "done", "done");
  await vi.waitFor(() => expect(thrown).toEqual([bug, bug]));
});

it("removes one file or all finished ones, and leaves the others on their way", async () => {
  const store = aStore();
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
