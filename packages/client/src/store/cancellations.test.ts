import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntime, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { aMoment, aStoreAt, ended, statuses } from "../../test/store.js";
import type { Runtime } from "../runtime.js";
import { createFakeTransport } from "../testing/index.js";
import type { UploadStore } from "./upload-store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

/** Adds files whose PUTs have started and hang. */
async function aStoreWithRunningPuts(
  files: number,
  settings: Parameters<typeof aStoreAt>[1] = {},
  runtime?: Runtime,
) {
  backend.nextAnswers.put.push(...Array.from({ length: files }, () => "hang" as const));
  const store = aStoreAt(backend, settings, runtime);
  store.add(Array.from({ length: files }, (_, index) => aFile(`${index}`)));
  await expect.poll(() => backend.of("put")).toHaveLength(files);
  return store;
}

const paths = (step: "cancel" | "put") =>
  backend.of(step).map(({ body, path }) => (step === "put" ? path.slice(1) : JSON.parse(body).file_path));

test.each<[string, (store: UploadStore) => void]>([
  ["cancel", (store) => store.cancel("1")],
  ["cancelAll, which runs when the widget unmounts", (store) => store.cancelAll()],
  ["remove", (store) => store.remove("1")],
  ["removeAll, with a delete", (store) => store.removeAll({ delete: true })],
  ["reset", (store) => store.reset()],
])("cancels the upload on the server once: %s", async (_command, run) => {
  const store = await aStoreWithRunningPuts(1);
  run(store);
  await expect.poll(() => paths("cancel")).toEqual(paths("put"));
  await aMoment();
  expect(backend.of("cancel")).toHaveLength(1);
  expect(backend.of("delete")).toEqual([]);
});

test("cancels many uploads one after the other", async () => {
  const store = await aStoreWithRunningPuts(3);
  let running = 0;
  let mostRunning = 0;
  backend.onCall = (step, isAnswered) => {
    if (step === "cancel") mostRunning = Math.max(mostRunning, (running += isAnswered ? -1 : 1));
  };
  store.cancelAll();
  await expect.poll(() => backend.cancelled.size).toBe(3);
  expect(mostRunning).toBe(1);
});

test("cancels nothing whose bytes are in storage", async () => {
  const store = aStoreAt(backend);
  backend.nextAnswers.complete.push("hang");
  store.add([aFile()]);
  await expect.poll(() => backend.of("complete")).toHaveLength(1);
  store.removeAll();
  store.add([aFile()]);
  await ended(store, "done");
  store.removeAll();
  await aMoment();
  expect(backend.of("cancel")).toEqual([]);
});

test.each<[string, (store: UploadStore) => void]>([
  ["remove", (store) => store.remove("1")],
  ["clear", (store) => store.clear()],
])("cancels a failed upload when the person gives it up: %s", async (_command, run) => {
  backend.nextAnswers.put.push({ status: 400 });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  await aMoment();
  expect(backend.of("cancel")).toEqual([]);
  run(store);
  await expect.poll(() => paths("cancel")).toEqual(paths("put"));
});

test("cancels a file whose URL arrives after the person has cancelled it", async () => {
  const transport = createFakeTransport();
  const request = transport.holdNext("request");
  const store = aStoreAt(backend, { transport });
  store.add([aFile()]);
  await request.arrived;
  store.cancel("1");
  expect(statuses(store)).toEqual(["cancelled"]);
  expect(transport.uploads).toEqual([]);
  request.release();
  await expect.poll(() => transport.calls.map(({ step }) => step)).toEqual(["request", "cancel"]);
  expect(transport.uploads).toEqual([]);
});

test.each([
  ["retries the same file", (store: UploadStore) => store.retry("1")],
  ["adds the file again", (store: UploadStore) => store.add([aFile()])],
])("returns the quota of a cancelled file before the person %s", async (_what, again) => {
  const store = await aStoreWithRunningPuts(1);
  let isCancelled = false;
  let requestedTooEarly = false;
  backend.onCall = (step, isAnswered) => {
    if (step === "cancel") isCancelled = isAnswered;
    if (step === "request" && !isCancelled) requestedTooEarly = true;
  };
  store.cancel("1");
  again(store);
  await expect.poll(() => backend.of("request")).toHaveLength(2);
  expect(requestedTooEarly).toBe(false);
});

test("waits two seconds at most for a cancellation that gets no answer", async () => {
  const runtime = aRuntime();
  backend.nextAnswers.put.push("hang");
  backend.nextAnswers.cancel.push("hang");
  const store = aStoreAt(backend, {}, runtime);
  store.add([aFile()]);
  await expect.poll(() => backend.of("put")).toHaveLength(1);
  store.cancel("1");
  await expect.poll(() => backend.of("cancel")).toHaveLength(1);
  store.retry("1");
  runtime.advance(1_999);
  await aMoment();
  expect(backend.of("request")).toHaveLength(1);
  runtime.advance(1);
  await expect.poll(() => backend.of("request")).toHaveLength(2);
});

describe("a page that is left", () => {
  test("cancels the uploads that are on their way or have failed, and no others", async () => {
    const runtime = aRuntimeWithoutPauses();
    backend.nextAnswers.put.push({ status: 400 }, "hang");
    const store = aStoreAt(backend, { concurrency: 1 }, runtime);
    store.add([aFile("failed"), aFile("running"), aFile("waiting")]);
    await expect.poll(() => backend.of("put")).toHaveLength(2);
    runtime.hidePage();
    await expect.poll(() => paths("cancel").sort()).toEqual(paths("put").sort());
    await aMoment();
    expect(backend.of("cancel")).toHaveLength(2);
  });

  test("sends cancellations that were waiting for another one, once", async () => {
    const runtime = aRuntimeWithoutPauses();
    backend.nextAnswers.put.push("hang", "hang");
    backend.nextAnswers.cancel.push("hang");
    const store = aStoreAt(backend, {}, runtime);
    store.add([aFile("a"), aFile("b")]);
    await expect.poll(() => backend.of("put")).toHaveLength(2);
    store.cancelAll();
    await expect.poll(() => backend.of("cancel")).toHaveLength(1);
    runtime.hidePage();
    await expect.poll(() => backend.cancelled.size).toBe(2);
  });

  test("sends the cancellations of removed files that were waiting", async () => {
    const runtime = aRuntimeWithoutPauses();
    backend.nextAnswers.put.push("hang", "hang");
    const store = aStoreAt(backend, {}, runtime);
    store.add([aFile("a"), aFile("b")]);
    await expect.poll(() => backend.of("put")).toHaveLength(2);
    backend.nextAnswers.cancel.push("hang");
    store.removeAll();
    await expect.poll(() => backend.of("cancel")).toHaveLength(1);
    runtime.hidePage();
    await expect.poll(() => backend.cancelled.size).toBe(2);
  });

  test("has no listener once the cancellations of all removed files have ended", async () => {
    const runtime = aRuntimeWithoutPauses();
    const store = await aStoreWithRunningPuts(2, {}, runtime);
    store.removeAll();
    expect(runtime.hidePage()).toBe(1);
    await expect.poll(() => backend.cancelled.size).toBe(2);
    await expect.poll(() => runtime.hidePage()).toBe(0);
  });

  test("has no listener without an unfinished upload", async () => {
    const runtime = aRuntimeWithoutPauses();
    const store = aStoreAt(backend, {}, runtime);
    expect(runtime.hidePage()).toBe(0);
    store.add([aFile()]);
    expect(runtime.hidePage()).toBe(1);
    await ended(store, "done");
    expect(runtime.hidePage()).toBe(0);
    expect(backend.of("cancel")).toEqual([]);
  });
});

test("uploads a cancelled file again with another URL", async () => {
  const store = await aStoreWithRunningPuts(1);
  store.cancel("1");
  await expect.poll(() => backend.cancelled.size).toBe(1);
  store.retry("1");
  await ended(store, "done");
  const [first, second] = paths("put");
  expect(second).not.toBe(first);
  expect([...backend.stored.keys()]).toEqual([second]);
});

test.each([
  ["the path is unknown to an older backend", 404, "not_found", 1],
  ["the upload is stored", 409, "upload_already_stored", 1],
  ["the service is down", 503, "unavailable", 5],
])("shows no failure when %s", async (_why, status, code, calls) => {
  backend.nextAnswers.cancel.push(...Array.from({ length: 5 }, () => ({ status, body: { code } })));
  const store = await aStoreWithRunningPuts(1);
  store.cancel("1");
  await expect.poll(() => backend.of("cancel")).toHaveLength(calls);
  await aMoment();
  expect(backend.of("cancel")).toHaveLength(calls);
  expect(statuses(store)).toEqual(["cancelled"]);
});

test("works with a transport that cannot cancel", async () => {
  const { cancel: _cancel, ...transport } = createFakeTransport();
  const put = transport.holdNext("put");
  const store = aStoreAt(backend, { transport });
  store.add([aFile()]);
  await put.arrived;
  store.cancel("1");
  expect(statuses(store)).toEqual(["cancelled"]);
  store.retry("1");
  await ended(store, "done");
});

test("cancels one file of a batch, gives its ticket back, and uploads the others", async () => {
  const store = aStoreAt(backend, { concurrency: 4 });
  // The first call is for one file. The other files ask during it, and go together.
  let answerBatch = () => {};
  backend.settings.batchesWaitFor = new Promise<void>((resolve) => (answerBatch = resolve));
  store.add(["0", "1", "2", "3"].map((name) => aFile(name)));
  await expect.poll(() => backend.batchCalls).toEqual([{ step: "request-batch", files: 3 }]);
  store.cancel(store.getSnapshot().items[3]!.id);
  answerBatch();
  await ended(store, "done", "done", "done", "cancelled");
  await expect.poll(() => [...backend.cancelled]).toEqual([expect.stringMatching(/_3$/)]);
  expect(paths("put")).toHaveLength(3);
});
