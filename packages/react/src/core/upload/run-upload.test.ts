import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aFile } from "../../../test/runtime.js";
import { aStoreAt, ended, failureOf, statuses } from "../../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

const bodyOf = (index: number) => JSON.parse(backend.of("request")[index]?.body ?? "") as unknown;

test("repeats only the confirmation when storage has the bytes", async () => {
  backend.nextAnswers.complete.push({ status: 503 }, "cut", {
    status: 409,
    body: { detail: "Upload not found in storage", code: "upload_not_found" },
  });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete", "complete", "complete", "complete"]);
});

test("sends no byte again when a person retries after a failed confirmation", async () => {
  backend.nextAnswers.complete.push({ status: 401, body: { detail: "Unauthorized", code: "unauthorized" } });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  store.retry("1");
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete", "complete"]);
});

test("stores a file once when storage took it without an answer and a person retries", async () => {
  backend.nextAnswers.put.push("lost", "cut", "cut", "cut", "cut");
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "network_error" });
  store.retry("1");
  await ended(store, "done");
  expect(backend.of("put")).toHaveLength(5);
  expect(backend.of("request")).toHaveLength(1);
  expect(backend.stored.size).toBe(1);
});

test("stores a file once when it was cancelled after storage took it and a person retries", async () => {
  backend.nextAnswers.put.push("late");
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await vi.waitFor(() => expect(backend.stored.size).toBe(1));
  store.cancel("1");
  store.retry("1");
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
  expect(backend.stored.size).toBe(1);
});

test("sends the bytes again when they are gone by the time a person retries", async () => {
  backend.nextAnswers.complete.push({ status: 401 });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  backend.stored.clear();
  store.retry("1");
  await ended(store, "done");
  expect(backend.of("put")).toHaveLength(2);
});

test("validates and transforms each file in its turn, and sends what transform returned", async () => {
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

test("checks the size of what transform returned", async () => {
  const store = aStoreAt(backend, { transform: (file) => file, maxSize: 100 });
  store.add([aFile("a.jpg", 5000)]);
  await ended(store, "failed");
  expect(failureOf(store)?.code).toBe("file_too_large");
  expect(backend.calls).toEqual([]);
});

test("repeats a failed callback of the backend only when a person retries", async () => {
  backend.nextAnswers.complete.push({ status: 500, body: { code: "callback_failed" } });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "callback_failed", canRetry: true });
  store.retry("1");
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete", "complete"]);
});
