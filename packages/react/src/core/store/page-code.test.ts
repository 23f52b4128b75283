import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aFile, aRuntime } from "../../../test/runtime.js";
import { aMoment, aStoreAt, ended, failureOf, settled, statuses } from "../../../test/store.js";
import { createHttpTransport } from "../network/http-transport.js";

// Code of a page that does what its types forbid, or what nobody thought of.

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());
const broken = () => {
  throw new Error("bug of the page");
};

it("gives a file its end and a sentence, though the page's own sentence throws", async () => {
  const store = aStoreAt(backend, {
    concurrency: 1,
    maxSize: 2000,
    errorMessages: { file_too_large: broken, network_error: broken, quota_exceeded: broken },
  });
  backend.nextAnswers.request.push("cut", { status: 409, body: { code: "quota_exceeded" } });
  store.add([aFile("large", 2001), aFile("a"), aFile("b")]);
  await ended(store, "failed", "failed", "done");
  for (const index of [0, 1]) {
    expect(failureOf(store, index)?.message).toBe(
      "The upload was refused. Try again, or choose another file.",
    );
  }
});

it("gives a file its end where the locale is none, and where validate answers no sentence", async () => {
  const store = aStoreAt(backend, {
    locale: "en_US",
    maxSize: 2000,
    validate: (({ name }: File) => name === "bad") as never,
  });
  store.add([aFile("large", 2001), aFile("bad"), aFile("b")]);
  await ended(store, "failed", "failed", "done");
  expect(failureOf(store, 0)?.code).toBe("file_too_large");
  expect(failureOf(store, 1)?.code).toBe("file_refused");
});

it("sends nothing where transform makes no file: neither the original nor what is none", async () => {
  for (const made of [undefined, null, "text", { width: 10 }]) {
    const store = aStoreAt(backend, { transform: () => made as never });
    store.add([aFile()]);
    await ended(store, "failed");
    expect(failureOf(store)).toMatchObject({ code: "transform_failed", canRetry: true });
  }
  expect(backend.calls).toEqual([]);
});

it("takes an input that no JSON can say for a mistake, and not for a lost connection", async () => {
  const store = aStoreAt(backend, { input: { count: 1n } });
  store.add([aFile()]);
  await ended(store, "failed");
  expect(failureOf(store)?.code).toBe("unexpected_answer");
  expect(backend.calls).toEqual([]);
});

it("says once that all have ended, whatever a callback does to the list", async () => {
  const onSettled = vi.fn();
  const store = aStoreAt(backend, {
    onSettled,
    concurrency: 1,
    onUploaded: () => store.cancelAll(),
    onFailed: () => store.removeAll(),
  });
  store.add([aFile("a"), aFile("b"), aFile("c")]);
  await ended(store, "done", "cancelled", "cancelled");
  expect(onSettled).toHaveBeenCalledTimes(1);
});

it("goes on with what a callback adds, and says only then that all have ended", async () => {
  const onSettled = vi.fn();
  const store = aStoreAt(backend, {
    onSettled,
    onUploaded: (_file, { name }) => name === "a" && store.add([aFile("b")]),
  });
  store.add([aFile("a")]);
  await vi.waitFor(() => expect(statuses(store)).toEqual(["done", "done"]));
  expect(onSettled).toHaveBeenCalledTimes(1);
});

it("lets no transform of an earlier run say how large the file of a later one is", async () => {
  const made: ((blob: Blob) => void)[] = [];
  const store = aStoreAt(backend, { transform: () => new Promise<Blob>((resolve) => made.push(resolve)) });
  store.add([aFile("a", 5000)]);
  await vi.waitFor(() => expect(made).toHaveLength(1));
  store.cancel("1");
  store.retry("1");
  await vi.waitFor(() => expect(made).toHaveLength(2));
  backend.nextAnswers.complete.push("hang");
  made[1]?.(new Blob(["12345678"]));
  await vi.waitFor(() => expect(backend.of("complete")).toHaveLength(1));
  made[0]?.(new Blob(["1"]));
  await aMoment();
  backend.cutAll();
  await ended(store, "done");
  expect(store.getSnapshot().items[0]).toMatchObject({ size: 8, sentBytes: 8 });
});

it("holds the total size against what transform made, not against what it was made of", async () => {
  const store = aStoreAt(backend, {
    maxTotalSize: 1000,
    transform: (file) => file.slice(0, 400),
  });
  store.add([aFile("a", 5000), aFile("b", 5000), aFile("c", 5000), aFile("d", 5000)]);
  await ended(store, "done", "done", "failed", "failed");
  expect(failureOf(store, 2)?.code).toBe("total_size_exceeded");
});

it("is not held up by limits that never come, not even where it goes one by one", async () => {
  const runtime = aRuntime({ random: 0 });
  const http = createHttpTransport({ endpoint: backend.endpoint }, runtime);
  const transport = { ...http, routes: () => new Promise<never>(() => {}) };
  const store = aStoreAt(backend, { transport, route: "docs" }, runtime);
  backend.nextAnswers.request.push({ status: 503 });
  store.add([aFile()]);
  await vi.waitFor(() => expect(runtime.pendingMs()).toContain(0));
  runtime.advance(0);
  await ended(store, "done");
});

it("gives up after 30 s on headers that never come, and tries again", async () => {
  const runtime = aRuntime({ random: 0 });
  let asked = 0;
  const headers = () => (asked++ === 0 ? new Promise<never>(() => {}) : {});
  const store = aStoreAt(backend, { headers }, runtime);
  store.add([aFile()]);
  await vi.waitFor(() => expect(runtime.pendingMs()).toEqual([30_000]));
  runtime.advance(30_000);
  await vi.waitFor(() => expect(asked).toBe(2));
  await vi.waitFor(() => expect(runtime.pendingMs()).toEqual([0]));
  runtime.advance(0);
  await settled(store);
  expect(statuses(store)).toEqual(["done"]);
});
