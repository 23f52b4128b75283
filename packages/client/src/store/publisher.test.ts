import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntime, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { aMoment, aStoreAt, ended, settled, statuses } from "../../test/store.js";
import { browserRuntime, type Runtime } from "../runtime.js";
import { createFakeTransport } from "../testing/index.js";
import type { UploadTransport } from "../transport.js";
import type { UploadItem } from "../upload-item.js";
import type { UploadTotals } from "./totals.js";
import { createUploadStore } from "./upload-store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

test("keeps the objects of unchanged items, and notifies once for many steps of the network", async () => {
  let runFrame: (() => void) | null = null;
  const runtime = { ...aRuntimeWithoutPauses(), soon: (run: () => void) => ((runFrame = run), () => {}) };
  const store = aStoreAt(backend, { concurrency: 1 }, runtime);
  let notified = 0;
  store.subscribe(() => notified++);
  store.add([aFile("a", 500_000), aFile("b")]);
  expect(notified).toBe(1);
  const before = store.getSnapshot();
  await expect.poll(() => backend.of("complete")).toHaveLength(2);
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

test("never lets the total progress fall when files start over", async () => {
  backend.nextAnswers.put.push({ status: 503 }, "cut");
  const store = aStoreAt(backend);
  const shown: number[] = [];
  store.subscribe(() => shown.push(store.getSnapshot().totals.progress));
  store.add([aFile("a", 400_000), aFile("b", 300_000), aFile("c", 10)]);
  await settled(store);
  expect(shown).toEqual([...shown].sort((a, b) => a - b));
  expect(shown.at(-1)).toBe(1);
});

test("continues when a callback of the page throws, and reports the error as uncaught", async () => {
  const thrown: unknown[] = [];
  const hurried = aRuntimeWithoutPauses();
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
  const store = aStoreAt(
    backend,
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
  await expect.poll(() => thrown).toEqual([bug, bug]);
});

test("calls onSettled each time the last active file has ended", async () => {
  const onSettled = vi.fn();
  const store = aStoreAt(backend, { onSettled, maxSize: 2000 });
  store.add([aFile("large", 2001)]);
  expect(onSettled).not.toHaveBeenCalled();
  store.add([aFile("a"), aFile("b")]);
  await settled(store);
  await expect.poll(() => onSettled).toHaveBeenCalledTimes(1);
  expect(onSettled).toHaveBeenCalledWith(store.getSnapshot());
  store.add([aFile("c")]);
  store.cancelAll();
  expect(onSettled).toHaveBeenCalledTimes(2);
});

test("calls onSettled once when callbacks cancel and remove files", async () => {
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

test("calls onSettled only after the files that a callback added have ended", async () => {
  const onSettled = vi.fn();
  const store = aStoreAt(backend, {
    onSettled,
    onUploaded: (_file, { name }) => name === "a" && store.add([aFile("b")]),
  });
  store.add([aFile("a")]);
  await expect.poll(() => statuses(store)).toEqual(["done", "done"]);
  expect(onSettled).toHaveBeenCalledTimes(1);
});

test("never lets the progress of a file or the total fall when a PUT starts over", async () => {
  backend.nextAnswers.put.push({ status: 500 }, { cutAfterBytes: 1_000_000 }, { cutAfterBytes: 600_000 });
  const store = aStoreAt(backend);
  const totals: number[] = [];
  const items: Record<string, number[]> = {};
  store.subscribe(() => {
    const snapshot = store.getSnapshot();
    totals.push(snapshot.totals.progress);
    for (const { id, progress } of snapshot.items) (items[id] ??= []).push(progress);
  });
  store.add([aFile("a", 4_000_000), aFile("b", 3_000_000), aFile("c", 10)]);
  await settled(store);
  for (const shown of [totals, ...Object.values(items)]) {
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
    expect(shown.at(-1)).toBe(1);
  }
});

test("shows speed and remaining time while bytes are sent, and not afterwards", async () => {
  const runtime = aRuntimeWithoutPauses();
  const createXhr = () => {
    const xhr = {
      upload: {} as { onprogress?: (event: { loaded: number }) => void },
      onload: () => {},
      status: 200,
      open() {},
      setRequestHeader() {},
      abort() {},
      getAllResponseHeaders: () => "",
      send() {
        runtime.advance(1000);
        this.upload.onprogress?.({ loaded: 1000 });
        runtime.advance(1000);
        this.upload.onprogress?.({ loaded: 2000 });
        backend.stored.set([...paths].at(-1) ?? "", { size: 4000, contentType: "" });
        setTimeout(() => this.onload(), 20);
      },
    };
    return xhr as unknown as XMLHttpRequest;
  };
  const paths = new Set<string>();
  const transportFetch = runtime.fetch;
  const store = aStoreAt(
    backend,
    {},
    {
      ...runtime,
      createXhr,
      async fetch(url, init) {
        const answer = await transportFetch(url, init);
        const { file_path } = (await answer.clone().json()) as { file_path: string };
        paths.add(file_path);
        return answer;
      },
    },
  );
  const seen: { item: UploadItem | undefined; totals: UploadTotals }[] = [];
  store.subscribe(() => {
    const { items, totals } = store.getSnapshot();
    if (items[0]?.status === "uploading") seen.push({ item: items[0], totals });
  });
  store.add([aFile("a", 4000)]);
  await ended(store, "done");
  expect(seen.at(-1)).toMatchObject({
    item: { bytesPerSecond: 1000, remainingMs: 2000 },
    totals: { remainingMs: expect.any(Number) as number },
  });
  expect(seen.at(-1)?.totals.bytesPerSecond).toBeGreaterThan(0);
  expect(store.getSnapshot().items[0]).toMatchObject({ bytesPerSecond: null, remainingMs: null });
  expect(store.getSnapshot().totals).toMatchObject({ bytesPerSecond: null, remainingMs: null });
});

test("notifies at most ten times a second of progress", async () => {
  const answers = { presigned_url: "", file_path: "a", expires_in: 60, headers: {} } as never;
  const transport: UploadTransport = {
    request: async () => answers,
    complete: async () => answers,
    async put(_ticket, { size }, { onProgress }) {
      for (let bytes = 1; bytes <= size; bytes++) {
        onProgress(bytes);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
  };
  const { soon } = browserRuntime;
  const store = createUploadStore({ transport }, { ...aRuntimeWithoutPauses(), soon });
  let published = 0;
  store.subscribe(() => published++);
  const startedMs = performance.now();
  store.add([aFile("a", 150)]);
  await settled(store);
  // The first notification is for the added file.
  expect(published - 1).toBeLessThanOrEqual((performance.now() - startedMs) / 100);
});

test("publishes ten times a second, and three times while a hundred files are active", async () => {
  for (const [files, expectedMs] of [
    [99, 100],
    [100, 300],
  ] as const) {
    let lastMs = 0;
    // The names of the files are remembered once a second.
    const soon: Runtime["soon"] = (_run, delayMs) => (delayMs < 1000 && (lastMs = delayMs), () => {});
    backend.nextAnswers.put.push(...Array.from({ length: 6 }, () => "hang" as const));
    const store = aStoreAt(backend, {}, { ...aRuntimeWithoutPauses(), soon });
    store.add(Array.from({ length: files }, (_, index) => aFile(`${index}`, 1)));
    await expect.poll(() => lastMs).toBe(expectedMs);
    store.reset();
  }
});

test("publishes a step of one file without reading the other files", async () => {
  // A walk over the list would read the status of each item, so the test counts these reads.
  const publishes = async (files: number) => {
    const frames: (() => void)[] = [];
    const soon: Runtime["soon"] = (run, delayMs) => (delayMs < 1000 && frames.push(run), () => {});
    const runtime = { ...aRuntimeWithoutPauses(), soon };
    const store = aStoreAt(backend, { concurrency: 1 }, runtime);
    backend.nextAnswers.put.push("hang");
    store.add(Array.from({ length: files }, (_, index) => aFile(`${index}`, 1)));
    await expect.poll(() => backend.of("put")).toHaveLength(1);
    const { items } = store.getSnapshot();
    let reads = 0;
    for (const item of items.slice(1)) {
      const { status } = item;
      Object.defineProperty(item, "status", { get: () => (reads++, status) });
    }
    for (const run of frames) run();
    expect(store.getSnapshot().items).not.toBe(items);
    const readsOfFrame = reads;
    store.reset();
    return readsOfFrame;
  };
  expect(await publishes(5_000)).toBe(0);
});

test("adds, cancels and removes 5,000 files with one notification each", async () => {
  const before = process.cpuUsage();
  const store = aStoreAt(backend, { autoStart: false });
  let published = 0;
  store.subscribe(() => published++);
  store.add(Array.from({ length: 5_000 }, (_, index) => aFile(`${index}`, 1)));
  // Of the CPU, because a busy machine takes longer.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2_000);
  expect(published).toBe(1);
  expect(store.getSnapshot().totals).toMatchObject({ files: 5_000, active: 5_000, totalBytes: 5_000 });
  store.cancelAll();
  expect(published).toBe(2);
  store.removeAll();
  expect(published).toBe(3);
  expect(store.getSnapshot().items).toEqual([]);
});

test("tells no longer time for all files than for its slowest one, when nothing has moved for a while", async () => {
  const runtime = aRuntime();
  const transport = createFakeTransport();
  const [first, second] = [transport.holdNext("put"), transport.holdNext("put")];
  const store = createUploadStore({ transport }, runtime);
  store.add([aFile("a.mov", 900_000), aFile("b.mov", 900_000)]);
  await Promise.all([first.arrived, second.arrived]);
  for (let sent = 0; sent <= 300_000; sent += 100_000) {
    first.progress(sent);
    second.progress(sent);
    runtime.advance(1_000);
  }
  // Each look at the list, such as for another file that is added, must not lower the speed.
  for (let look = 0; look < 18; look++) {
    runtime.advance(500);
    store.start();
  }
  const { items, totals } = store.getSnapshot();
  expect(totals.remainingMs).toBeGreaterThan(0);
  expect(totals.remainingMs).toBeLessThanOrEqual(2 * Math.max(...items.map((item) => item.remainingMs ?? 0)));
});
