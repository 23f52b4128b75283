import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { aMoment, aStoreAt, ended, statuses } from "../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
  backend.settings.multipartFrom = 5000;
});
afterEach(() => backend.close());

/** With parts of 1000 bytes it has 13 parts. */
const aLargeFile = (name = "film.mp4") => aFile(name, 12_345, "video/mp4");
const sentParts = () => backend.of("part").map(({ part }) => part);

/** Waits until storage has this many parts and six more hang. */
async function sendsParts(count: number, onPart = () => {}) {
  let begun = 0;
  backend.onCall = (step, isAnswered) => {
    if (step !== "part") return;
    if (isAnswered) onPart();
    else if (++begun > count) backend.nextAnswers.part.push("hang");
  };
  // The first file by parts loads the code for them.
  await expect.poll(() => backend.of("part")).toHaveLength(count + 6);
  backend.onCall = () => {};
}

test("keeps the parts of a paused file in storage, and sends no stored part again", async () => {
  const runtime = aRuntimeWithoutPauses();
  const store = aStoreAt(backend, {}, runtime);
  store.add([aLargeFile()]);
  await sendsParts(5, () => runtime.advance(600));
  await expect.poll(() => store.getSnapshot().totals.bytesPerSecond).toBeGreaterThan(0);
  const storedParts = () => [...backend.openUploads.values()].flatMap(({ parts }) => [...parts.keys()]);
  store.pause("1");
  const before = store.getSnapshot();
  expect(before.items[0]).toMatchObject({ status: "paused" });
  expect(before.totals).toMatchObject({ active: 1, paused: 1, bytesPerSecond: null, remainingMs: null });
  expect(before.items[0]?.sentBytes).toBeGreaterThan(0);
  await expect.poll(() => backend.abandonedCalls()).toBe(6);
  const stored = storedParts();
  const { length } = backend.calls;
  await aMoment();
  expect(backend.calls).toHaveLength(length);

  const sent = sentParts().length;
  store.resume("1");
  await ended(store, "done");
  expect(
    sentParts()
      .slice(sent)
      .filter((part) => stored.includes(part ?? 0)),
  ).toEqual([]);
  expect(backend.of("request")).toHaveLength(1);
  expect(backend.cancelled.size).toBe(0);
});

test("starts a file of one PUT again from 0, with the same URL", async () => {
  backend.nextAnswers.put.push("hang");
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await expect.poll(() => backend.of("put")).toHaveLength(1);
  store.pause("1");
  expect(store.getSnapshot().items[0]).toMatchObject({
    status: "paused",
    startsAgain: true,
    sentBytes: 0,
    progress: 0,
  });
  store.resume("1");
  await ended(store, "done");
  expect(backend.of("request")).toHaveLength(1);
  expect(backend.stored.size).toBe(1);
});

test("gives back a ticket that arrives after the pause, and requests another upload when the file continues", async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  const runtime = aRuntimeWithoutPauses();
  const fetchHeld = async (url: string, init: RequestInit) => {
    const response = await runtime.fetch(url, init);
    if (url.endsWith("/request") && backend.of("request").length === 1) await held;
    return response;
  };
  const store = aStoreAt(backend, {}, { ...runtime, fetch: fetchHeld });
  store.add([aFile()]);
  await expect.poll(() => backend.of("request")).toHaveLength(1);
  store.pause("1");
  answer();
  await expect.poll(() => backend.cancelled.size).toBe(1);
  store.resume("1");
  await ended(store, "done");
  const keys = backend
    .of("request")
    .map(({ body }) => (JSON.parse(body) as { idempotency_key: string }).idempotency_key);
  expect(new Set(keys).size).toBe(2);
});

test("pauses and resumes all files, also those of the queue, and starts no file that waits for start()", async () => {
  backend.nextAnswers.put.push("hang");
  const store = aStoreAt(backend, { concurrency: 1 });
  store.add([aFile("a"), aFile("b")]);
  await expect.poll(() => backend.of("put")).toHaveLength(1);
  store.pauseAll();
  expect(statuses(store)).toEqual(["paused", "paused"]);
  store.resumeAll();
  await ended(store, "done", "done");

  const waiting = aStoreAt(backend, { autoStart: false });
  waiting.add([aFile()]);
  waiting.pauseAll();
  waiting.pause("1");
  waiting.resumeAll();
  expect(statuses(waiting)).toEqual(["queued"]);
});

test("lets another file start in place of the paused one", async () => {
  backend.nextAnswers.put.push("hang");
  const store = aStoreAt(backend, { concurrency: 1 });
  store.add([aFile("a"), aFile("b")]);
  await expect.poll(() => backend.of("put")).toHaveLength(1);
  store.pause("1");
  await expect.poll(() => statuses(store)).toEqual(["paused", "done"]);
});

test("is not settled while a file is paused, asks before the page is left, and needs no connection", async () => {
  const runtime = aRuntimeWithoutPauses();
  const onSettled = vi.fn();
  backend.nextAnswers.put.push("hang");
  const store = aStoreAt(backend, { onSettled }, runtime);
  store.add([aFile()]);
  await expect.poll(() => backend.of("put")).toHaveLength(1);
  store.pause("1");
  await aMoment();
  expect(onSettled).not.toHaveBeenCalled();
  expect(store.isRunning()).toBe(true);
  expect(runtime.isLeavingAsked()).toBe(true);
  expect(runtime.connectionListeners()).toBe(0);
  store.cancel("1");
  expect(statuses(store)).toEqual(["cancelled"]);
  await expect.poll(() => backend.cancelled.size).toBe(1);
  expect(onSettled).toHaveBeenCalledOnce();
});

test("cancels a paused upload by parts on the server", async () => {
  const store = aStoreAt(backend);
  store.add([aLargeFile()]);
  await sendsParts(3);
  store.pause("1");
  store.cancel("1");
  await expect.poll(() => backend.cancelled.size).toBe(1);
  expect(backend.openUploads.size).toBe(0);
});

test("ignores a pause of a file that is being confirmed or has ended, and a resume of one that is not paused", async () => {
  backend.nextAnswers.complete.push("hang");
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await expect.poll(() => statuses(store)).toEqual(["confirming"]);
  store.pause("1");
  store.resume("1");
  expect(statuses(store)).toEqual(["confirming"]);
  store.cancelAll();
  store.pauseAll();
  store.resumeAll();
  expect(statuses(store)).toEqual(["cancelled"]);
});
