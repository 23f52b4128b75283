import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aFile, aHurriedRuntime } from "../../../test/runtime.js";
import { aStoreAt, ended, settled } from "../../../test/store.js";
import { browserRuntime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import type { UploadItem } from "../upload-item.js";
import { createUploadStore } from "./upload-store.js";
import type { UploadTotals } from "./totals.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

it("never shows a file or the total going back, whatever has to start over", async () => {
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

it("tells speed and time left while bytes leave, of the file and of all, and not after", async () => {
  const runtime = aHurriedRuntime();
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

it("shows what the network does ten times a second at most, however much there is", async () => {
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
  const store = createUploadStore({ transport }, { ...aHurriedRuntime(), soon });
  let published = 0;
  store.subscribe(() => published++);
  const startedMs = performance.now();
  store.add([aFile("a", 150)]);
  await settled(store);
  // What was added is shown at once.
  expect(published - 1).toBeLessThanOrEqual((performance.now() - startedMs) / 100);
});

it("publishes the step of one file at a cost that does not grow with the list", async () => {
  // Reading a status is what any walk over the list would do: so reads are counted.
  const publishes = async (files: number) => {
    const frames: (() => void)[] = [];
    const runtime = { ...aHurriedRuntime(), soon: (run: () => void) => (frames.push(run), () => {}) };
    const store = aStoreAt(backend, { concurrency: 1 }, runtime);
    backend.nextAnswers.put.push("hang");
    store.add(Array.from({ length: files }, (_, index) => aFile(`${index}`, 1)));
    await vi.waitFor(() => expect(backend.of("put")).toHaveLength(1));
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

it("takes 5,000 files in at once, sends none of them twice, and shows each in its end", async () => {
  const startedMs = performance.now();
  const store = aStoreAt(backend, { autoStart: false });
  let published = 0;
  store.subscribe(() => published++);
  store.add(Array.from({ length: 5_000 }, (_, index) => aFile(`${index}`, 1)));
  expect(performance.now() - startedMs).toBeLessThan(2_000);
  expect(published).toBe(1);
  expect(store.getSnapshot().totals).toMatchObject({ files: 5_000, active: 5_000, totalBytes: 5_000 });
  store.cancelAll();
  expect(published).toBe(2);
  store.removeAll();
  expect(published).toBe(3);
  expect(store.getSnapshot().items).toEqual([]);
});
