import { afterEach, beforeEach, expect, test } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { aStoreAt, ended, failureOf, statuses } from "../../test/store.js";
import { createNetwork } from "../network/network.js";
import { createLineSpeed } from "../network/line-speed.js";
import { createPutSlots } from "../network/put-slots.js";
import { createFakeTransport, UploadError } from "../testing/index.js";
import type { UploadSettings } from "../upload-settings.js";
import { runUpload } from "./run-upload.js";
import type { ResumePoint, UploadEvent } from "./upload-job.js";

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
  expect(failureOf(store)).toMatchObject({ code: "storage_unreachable" });
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
  await expect.poll(() => backend.stored.size).toBe(1);
  store.cancel("1");
  store.retry("1");
  await ended(store, "done");
  // The cancel is refused, because storage has the bytes. It may come before or after the completion.
  expect(backend.steps().filter((step) => step !== "cancel")).toEqual(["request", "put", "complete"]);
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

test("sends one key with all requests of an upload, and another one after a cancel and for another file", async () => {
  backend.nextAnswers.request.push("lost");
  backend.nextAnswers.put.push({ status: 403 }, "hang");
  const store = aStoreAt(backend, { concurrency: 1 });
  store.add([aFile()]);
  await expect.poll(() => backend.of("put")).toHaveLength(2);
  store.cancel("1");
  store.retry("1");
  await ended(store, "done");
  store.add([aFile("b.jpg")]);
  await ended(store, "done", "done");
  const keys = backend.of("request").map(({ body }) => String(JSON.parse(body).idempotency_key));
  const [first] = keys;
  expect(keys.slice(0, 3)).toEqual([first, first, first]);
  expect(new Set(keys).size).toBe(3);
  expect(keys).toHaveLength(5);
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
  expect(bodyOf(0)).toMatchObject({ filename: "a.webp", content_type: "image/webp", size: 4 });
  expect([...backend.stored.values()]).toEqual([{ size: 4, contentType: "image/webp" }]);
});

test("checks the type of what transform returned, and not of the file before", async () => {
  const accept = "image/jpeg";
  const heic = new File(["heic"], "photo.heic", { type: "image/heic" });
  const converted = aStoreAt(backend, {
    accept,
    transform: () => new File(["jpeg"], "photo.heic", { type: "image/jpeg" }),
  });
  converted.add([heic]);
  await ended(converted, "done");
  expect(bodyOf(0)).toMatchObject({ filename: "photo.jpg", content_type: "image/jpeg" });
  const unchanged = aStoreAt(backend, { accept, transform: (file) => file });
  unchanged.add([heic]);
  await ended(unchanged, "failed");
  expect(failureOf(unchanged)?.code).toBe("file_type_not_accepted");
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

test.each([
  ["storage refused the file", [{ status: 400 }], 1],
  ["storage failed at each attempt", Array.from({ length: 5 }, () => ({ status: 500 })), 5],
  ["the connection broke at each attempt", Array.from({ length: 5 }, () => "cut" as const), 5],
])("continues with the same URL when %s and a person retries", async (_, answers, puts) => {
  backend.nextAnswers.put.push(...answers);
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  store.retry("1");
  await ended(store, "done");
  expect(backend.of("request")).toHaveLength(1);
  expect(backend.of("put")).toHaveLength(puts + 1);
  expect(new Set(backend.of("put").map(({ path }) => path)).size).toBe(1);
  expect(backend.steps()).not.toContain("cancel");
});

test("requests another URL with the same key when the old one has expired and a person retries", async () => {
  backend.nextAnswers.put.push({ status: 400 });
  const runtime = aRuntimeWithoutPauses();
  const store = aStoreAt(backend, {}, runtime);
  store.add([aFile()]);
  await ended(store, "failed");
  runtime.setClock(3600_000);
  store.retry("1");
  await ended(store, "done");
  const keys = backend.of("request").map(({ body }) => JSON.parse(body).idempotency_key as string);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test("requests another URL when the upload was cancelled elsewhere and a person retries", async () => {
  backend.nextAnswers.put.push({ status: 400 });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  backend.cancelled.add(backend.of("put")[0]?.path.slice(1) ?? "");
  store.retry("1");
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete", "request", "put", "complete"]);
});

test("cancels the old upload when transform makes another size at a retry", async () => {
  backend.nextAnswers.put.push({ status: 400 });
  let text = "first";
  const store = aStoreAt(backend, { transform: () => new Blob([text]) });
  store.add([aFile()]);
  await ended(store, "failed");
  text = "the second";
  store.retry("1");
  await ended(store, "done");
  await expect.poll(() => backend.of("cancel")).toHaveLength(1);
  const [first, second] = backend.of("request").map(({ body }) => JSON.parse(body).idempotency_key as string);
  expect(first).not.toBe(second);
  expect([...backend.stored.values()]).toEqual([expect.objectContaining({ size: 10 })]);
});

test("cancels once and requests another URL when a person cancels and retries", async () => {
  backend.nextAnswers.put.push("hang");
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await expect.poll(() => backend.of("put")).toHaveLength(1);
  store.cancel("1");
  store.retry("1");
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "cancel", "complete", "request", "put", "complete"]);
});

/** Runs one upload without a store. */
function aRun({ resume = {}, settings = {} }: { resume?: ResumePoint; settings?: UploadSettings } = {}) {
  const transport = createFakeTransport();
  const runtime = aRuntimeWithoutPauses();
  const events: UploadEvent[] = [];
  const caller = new AbortController();
  const start = (from = resume) =>
    runUpload({
      file: aFile("a.jpg", 10),
      resume: from,
      id: "1",
      putSlots: createPutSlots(() => 6),
      lineSpeed: createLineSpeed(),
      idempotencyKey: "a-key",
      runtime,
      network: createNetwork(
        runtime,
        () => transport,
        () => {},
      ),
      transport,
      signal: caller.signal,
      current: {
        settings: () => settings,
        limits: () => ({ maxSize: 10 }),
        usage: () => ({ files: 0, bytes: 0 }),
      },
      onEvent: (event) => events.push(event),
      onUnusedTicket: () => {},
    });
  /** The events, each once. */
  const types = () => [...new Set(events.map(({ type }) => type))];
  const steps = (from = 0) => transport.calls.slice(from).map(({ step }) => step);
  return { transport, events, caller, start, types, steps };
}

test("returns the stored file, and reports each step", async () => {
  const run = aRun();
  expect(await run.start()).toMatchObject({ status: "stored", size: 10 });
  expect(run.types()).toEqual([
    "preparing",
    "requesting",
    "size-known",
    "put-started",
    "bytes-sent",
    "bytes-stored",
    "confirming",
  ]);
  const path = run.transport.uploads[0]?.path;
  expect(run.events).toContainEqual({ type: "put-started", ticket: expect.objectContaining({ size: 10 }) });
  expect(run.events).toContainEqual({ type: "bytes-stored", path });
});

test("only confirms when an earlier run has sent the bytes", async () => {
  const run = aRun();
  await run.start();
  const firstCalls = run.transport.calls.length;
  run.events.splice(0);
  await run.start({ sentPath: run.transport.uploads[0]?.path ?? "" });
  expect(run.steps(firstCalls)).toEqual(["complete"]);
  expect(run.types()).toEqual(["confirming"]);
});

test("asks about the path of an earlier PUT before it requests a ticket", async () => {
  const run = aRun();
  await run.start();
  const firstCalls = run.transport.calls.length;
  await run.start({ triedPath: run.transport.uploads[0]?.path ?? "" });
  expect(run.steps(firstCalls)).toEqual(["complete"]);
  expect(run.transport.uploads).toHaveLength(1);
});

test("sends the bytes again when the service does not know the earlier path", async () => {
  const run = aRun();
  await run.start({ triedPath: "unknown", sentPath: "unknown" });
  expect(run.steps()).toEqual(["complete", "complete", "request", "put", "complete"]);
});

test("rejects with the failure, after the size was reported, when the file breaks a limit", async () => {
  const run = aRun({ settings: { transform: () => new Blob(["12345678901"]) } });
  await expect(run.start()).rejects.toMatchObject({ code: "file_too_large" });
  expect(run.events.at(-1)).toEqual({ type: "size-known", sizeBytes: 11 });
  expect(run.steps()).toEqual([]);
});

test("rejects with the reason of the signal, and starts no PUT after it", async () => {
  const run = aRun();
  const request = run.transport.holdNext("request");
  const ended = run.start();
  await request.arrived;
  const reason = new UploadError("timed_out");
  run.caller.abort(reason);
  await expect(ended).rejects.toBe(reason);
  expect(run.steps()).toEqual(["request"]);
});
