import { afterEach, beforeEach, expect, test } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile } from "../../test/runtime.js";
import { aMoment, aStoreAt, ended, settled, statuses } from "../../test/store.js";
import { createFileCollection } from "./file-collection.js";
import type { FileEvent } from "./file-state.js";
import { createScheduler } from "./scheduler.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

test("uploads six files at the same time by default, or as many as concurrency says", async () => {
  const store = aStoreAt(backend);
  store.add(Array.from({ length: 12 }, () => aFile("x", 100_000)));
  expect(store.getSnapshot().items.filter((item) => item.status === "queued")).toHaveLength(6);
  await settled(store);
  expect(backend.stored.size).toBe(12);
  expect(backend.mostParallelPuts()).toBeLessThanOrEqual(6);

  const single = aStoreAt(backend, { concurrency: 1 });
  single.add([aFile(), aFile()]);
  expect(statuses(single)).toEqual(["preparing", "queued"]);
  await settled(single);
});

test("starts the next file while one is confirmed, and lets at most two files per slot wait for confirmation", async () => {
  backend.nextAnswers.complete.push("hang", "hang");
  const store = aStoreAt(backend, { concurrency: 1 });
  store.add([aFile("a"), aFile("b"), aFile("c")]);
  await expect.poll(() => backend.of("complete")).toHaveLength(2);
  await aMoment();
  expect(statuses(store)).toEqual(["confirming", "confirming", "queued"]);
  expect(backend.steps()).toEqual(["request", "put", "complete", "request", "put", "complete"]);
  store.cancel(store.getSnapshot().items[0]!.id);
  await expect.poll(() => statuses(store)[2]).toBe("done");
});

test("lets 24 small files wait for their tickets", async () => {
  backend.nextAnswers.request.push(...Array.from({ length: 40 }, () => "hang" as const));
  const store = aStoreAt(backend);
  store.add(Array.from({ length: 40 }, (_, index) => aFile(`${index}`)));
  const count = (wanted: string) => statuses(store).filter((status) => status === wanted).length;
  await expect.poll(() => count("requesting")).toBe(24);
  await aMoment();
  expect([count("requesting"), count("queued")]).toEqual([24, 16]);
  store.cancelAll();
});

test.each([
  { size: 10, waiting: 24 },
  { size: 1024 ** 2 + 1, waiting: 6 },
])(
  "lets $waiting files of $size bytes wait for the backend while the bytes of six are sent",
  async ({ size, waiting }) => {
    backend.nextAnswers.put.push(...Array.from({ length: 6 }, () => "hang" as const));
    const store = aStoreAt(backend);
    store.add(Array.from({ length: 40 }, (_, index) => aFile(`${index}`, size)));
    const count = (wanted: string) => statuses(store).filter((status) => status === wanted).length;
    const counts = () => [count("uploading"), count("requesting"), count("queued")];
    await expect.poll(counts).toEqual([6, waiting, 34 - waiting]);
    await aMoment();
    expect([...counts(), backend.of("put").length]).toEqual([6, waiting, 34 - waiting, 6]);
    store.cancelAll();
  },
);

test("shares calls between many small files, and sends at most six of them at once", async () => {
  const store = aStoreAt(backend);
  store.add(Array.from({ length: 60 }, (_, index) => aFile(`${index}`)));
  await settled(store);
  expect([backend.stored.size, backend.of("put").length]).toEqual([60, 60]);
  expect(backend.mostParallelPuts()).toBeLessThanOrEqual(6);
  const inBatches = backend.batchCalls.reduce((sum, { files }) => sum + files, 0);
  expect(inBatches).toBeGreaterThan(20);
});

test("shows only the files as uploading whose PUT has started", async () => {
  backend.nextAnswers.put.push(...Array.from({ length: 30 }, () => "hang" as const));
  const store = aStoreAt(backend);
  store.add(Array.from({ length: 30 }, (_, index) => aFile(`${index}`)));
  const count = (wanted: string) => statuses(store).filter((status) => status === wanted).length;
  await expect.poll(() => count("uploading")).toBe(6);
  await aMoment();
  expect([count("uploading"), backend.of("put").length]).toEqual([6, 6]);
  store.cancelAll();
  // The tickets of files that waited for a PUT are given back too.
  await expect.poll(() => backend.cancelled.size).toBe(backend.of("request").length);
});

test("keeps large files, and a page that wants fewer at once, to one slot for each file", async () => {
  backend.nextAnswers.request.push(...Array.from({ length: 9 }, () => "hang" as const));
  const large = aStoreAt(backend);
  large.add(Array.from({ length: 8 }, (_, index) => aFile(`${index}`, 1024 ** 2 + 1)));
  const few = aStoreAt(backend, { concurrency: 3 });
  few.add(Array.from({ length: 8 }, (_, index) => aFile(`${index}`)));
  await expect.poll(() => statuses(large).filter((status) => status === "requesting")).toHaveLength(6);
  await aMoment();
  expect(statuses(large).filter((status) => status === "queued")).toHaveLength(2);
  expect(statuses(few).filter((status) => status === "queued")).toHaveLength(5);
  large.cancelAll();
  few.cancelAll();
});

test("gives the slot of a cancelled file to the next one", async () => {
  backend.nextAnswers.put.push("hang");
  const store = aStoreAt(backend, { concurrency: 1 });
  store.add([aFile("stuck"), aFile("next")]);
  await expect.poll(() => backend.of("put")).toHaveLength(1);
  store.cancel("1");
  await ended(store, "cancelled", "done");
});

test("gives the slot of a cancelled file away even if the page's code never ends", async () => {
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

/** A scheduler alone. The test ends each upload. */
function aScheduler({ capacity = Number.POSITIVE_INFINITY, concurrency = 2 } = {}) {
  const limits = { capacity, concurrency };
  const files = createFileCollection(() => {});
  const started: string[] = [];
  const runs = new Map<string, { signal: AbortSignal; end(event: FileEvent): void }>();
  const scheduler = createScheduler({
    files,
    concurrency: () => limits.concurrency,
    capacity: () => limits.capacity,
    upload({ item: { id } }, signal) {
      started.push(id);
      return new Promise((end) => runs.set(id, { signal, end }));
    },
    onEnd: () => scheduler.startNext(),
  });
  const add = () => {
    const id = files.add(aFile());
    scheduler.enqueue(id);
    return id;
  };
  return { ...scheduler, add, files, started, runs, limits };
}
const failed = { type: "failed", failure: {} as never } as const;

test("starts files in the order in which they were queued, as far as concurrency and the network allow", async () => {
  const scheduler = aScheduler({ capacity: 1 });
  for (let file = 0; file < 4; file++) scheduler.add();
  scheduler.startNext();
  expect(scheduler.started).toEqual(["1"]);
  scheduler.limits.capacity = 100;
  scheduler.startNext();
  expect(scheduler.started).toEqual(["1", "2"]);
  scheduler.runs.get("1")?.end(failed);
  await expect.poll(() => scheduler.started).toEqual(["1", "2", "3"]);
  expect(scheduler.files.get("1")?.item.status).toBe("failed");
});

test("enqueues only queued files, and none twice", () => {
  const scheduler = aScheduler({ concurrency: 9 });
  const id = scheduler.add();
  scheduler.enqueue(id);
  scheduler.files.dispatch(scheduler.files.add(aFile()), { type: "cancelled" });
  scheduler.enqueue("2");
  scheduler.enqueue("unknown");
  scheduler.startNext();
  scheduler.startNext();
  expect(scheduler.started).toEqual(["1"]);
});

test("aborts the run of a stopped file, and ignores how it ends", async () => {
  const scheduler = aScheduler();
  const id = scheduler.add();
  scheduler.startNext();
  scheduler.stop(id);
  const run = scheduler.runs.get(id);
  expect(run?.signal.aborted).toBe(true);
  run?.end(failed);
  await aMoment();
  expect(scheduler.files.get(id)?.item.status).toBe("queued");
});

test("never starts a file that was stopped while it waited", () => {
  const scheduler = aScheduler({ concurrency: 1 });
  const [, second] = [scheduler.add(), scheduler.add()];
  scheduler.startNext();
  scheduler.stop(second);
  scheduler.limits.concurrency = 2;
  scheduler.startNext();
  expect(scheduler.started).toEqual(["1"]);
});
