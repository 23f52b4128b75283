import { afterEach, beforeEach, expect, test } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntimeWithoutPauses, aRuntime } from "../../test/runtime.js";
import { aMoment, aStoreAt, ended, failureOf, settled, statuses } from "../../test/store.js";
import type { UploadStore } from "../store/upload-store.js";
import { UploadError } from "../upload-error.js";
import { createConnection } from "./connection.js";
import { createHttpTransport } from "./http-transport.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

const isOffline = (store: UploadStore) => expect.poll(() => store.getSnapshot().isOffline).toBe(true);
const isUnreachable = (store: UploadStore) =>
  expect.poll(() => store.getSnapshot().connection).toBe("unreachable");

test("holds the queue while the browser is offline, and continues at its event", async () => {
  const runtime = aRuntime();
  runtime.setOnline(false);
  const store = aStoreAt(backend, {}, runtime);
  store.add([aFile("a"), aFile("b")]);
  await isOffline(store);
  expect(statuses(store)).toEqual(["queued", "queued"]);
  expect(backend.calls).toEqual([]);
  runtime.setOnline(true);
  await ended(store, "done", "done");
  expect(store.getSnapshot().isOffline).toBe(false);
});

/** A store whose backend is down, and its probes. */
function aStoreWithoutBackend(runtime: ReturnType<typeof aRuntime>) {
  let isDown = true;
  let probes = 0;
  const http = createHttpTransport({ endpoint: backend.endpoint }, runtime);
  const unlessDown = <Result>(call: () => Promise<Result>) =>
    isDown ? Promise.reject(new UploadError("network_error")) : call();
  const transport = {
    request: (...call: Parameters<typeof http.request>) => unlessDown(() => http.request(...call)),
    complete: http.complete,
    probe: () => (probes++, unlessDown(() => Promise.resolve())),
  };
  return {
    store: aStoreAt(backend, { transport }, runtime),
    start: () => (isDown = false),
    /** Advances by each pause, and waits for the probe after it. */
    async probeAfter(...pausesMs: number[]) {
      for (const pauseMs of pausesMs) {
        await expect.poll(() => runtime.pendingMs()).toEqual([pauseMs]);
        const before = probes;
        runtime.advance(pauseMs);
        await expect.poll(() => probes).toBe(before + 1);
      }
    },
  };
}

test("probes the backend after 5 s, then less and less often up to every 30 s", async () => {
  const runtime = aRuntime();
  const { store, start, probeAfter } = aStoreWithoutBackend(runtime);
  store.add([aFile()]);
  await isUnreachable(store);
  expect(store.getSnapshot().isOffline).toBe(false);
  await probeAfter(5_000, 10_000, 20_000, 30_000, 30_000);
  await expect.poll(() => runtime.pendingMs()).toEqual([30_000]);
  start();
  runtime.advance(30_000);
  await ended(store, "done");
  expect(store.getSnapshot().connection).toBe("online");
});

test("fails every file after five minutes without an answer of the backend, and a retry waits again", async () => {
  const runtime = aRuntime();
  const { store, start, probeAfter } = aStoreWithoutBackend(runtime);
  store.add(Array.from({ length: 9 }, (_, index) => aFile(`${index}`)));
  await isUnreachable(store);
  await probeAfter(5_000, 10_000, 20_000, ...Array.from({ length: 8 }, () => 30_000));
  expect(store.getSnapshot().totals).toMatchObject({ active: 9, failed: 0 });
  await probeAfter(30_000);
  await settled(store);
  expect(store.getSnapshot()).toMatchObject({ totals: { failed: 9 }, connection: "online" });
  expect(failureOf(store)).toMatchObject({ code: "server_unreachable", canRetry: true, status: 0 });
  expect(failureOf(store)?.message).toBe(
    "The server cannot be reached. Check your connection, or try again later.",
  );
  store.retryAll();
  await isUnreachable(store);
  await probeAfter(5_000);
  start();
  await expect.poll(() => runtime.pendingMs()).toEqual([10_000]);
  runtime.advance(10_000);
  await settled(store);
  expect(store.getSnapshot().totals.done).toBe(9);
});

test("waits for the network as long as the browser is offline", async () => {
  const runtime = aRuntime();
  const { store, start, probeAfter } = aStoreWithoutBackend(runtime);
  runtime.setOnline(false);
  store.add([aFile()]);
  await isOffline(store);
  await probeAfter(5_000, 10_000, 20_000, ...Array.from({ length: 20 }, () => 30_000));
  expect(statuses(store)).toEqual(["queued"]);
  start();
  runtime.setOnline(true);
  await ended(store, "done");
});

test("uses up no attempt while offline: a cut PUT waits and is sent again", async () => {
  const runtime = aRuntime();
  const store = aStoreAt(backend, {}, runtime);
  backend.nextAnswers.put.push("hang");
  store.add([aFile()]);
  await expect.poll(() => backend.of("put")).toHaveLength(1);
  for (let outage = 0; outage < 7; outage++) {
    backend.settings.isDown = true;
    backend.cutAll();
    await isUnreachable(store);
    expect(store.getSnapshot().items[0]).toMatchObject({ status: "requesting", retry: null });
    backend.settings.isDown = false;
    if (outage < 6) backend.nextAnswers.put.push("hang");
    runtime.setOnline(true);
    await expect.poll(() => backend.of("put")).toHaveLength(outage + 2);
  }
  await ended(store, "done");
  expect(backend.of("request")).toHaveLength(1);
});

test("stays online when the probe is refused, because a refusal is an answer", async () => {
  backend.nextAnswers.put.push("cut");
  backend.nextAnswers.routes.push({ status: 500 });
  const store = aStoreAt(backend);
  const seen: boolean[] = [];
  store.subscribe(() => seen.push(store.getSnapshot().connection !== "online"));
  store.add([aFile()]);
  await ended(store, "done");
  expect(backend.of("routes")).toHaveLength(1);
  expect(seen).not.toContain(true);
});

test("listens to the browser only while there is something to upload", async () => {
  const runtime = aRuntimeWithoutPauses();
  const store = aStoreAt(backend, {}, runtime);
  expect(runtime.connectionListeners()).toBe(0);
  store.add([aFile()]);
  expect(runtime.connectionListeners()).toBe(1);
  await settled(store);
  await expect.poll(() => runtime.connectionListeners()).toBe(0);

  backend.settings.isDown = true;
  store.add([aFile()]);
  await isUnreachable(store);
  store.cancelAll();
  expect(store.getSnapshot().connection).toBe("online");
  expect(runtime.connectionListeners()).toBe(0);
});

test("keeps one series of probes when the browser's state changes during a probe", async () => {
  const runtime = aRuntime();
  const failures: (() => void)[] = [];
  const transport = {
    request: () => Promise.reject(new UploadError("network_error")),
    complete: () => Promise.reject(new UploadError("network_error")),
    probe: () =>
      new Promise<void>((_, reject) => failures.push(() => reject(new UploadError("network_error")))),
  };
  const connection = createConnection(
    runtime,
    () => transport,
    () => {},
  );
  connection.watch(true);
  runtime.setOnline(false);
  runtime.advance(5_000);
  runtime.setOnline(true);
  runtime.setOnline(false);
  expect(failures).toHaveLength(1);
  failures[0]?.();
  await aMoment();
  expect(runtime.pendingMs()).toHaveLength(1);
  connection.watch(false);
  expect(runtime.pendingMs()).toEqual([]);
});

test("relies on the browser and on the next attempt when the transport has no probe", async () => {
  const runtime = aRuntime();
  const { request, complete } = createHttpTransport({ endpoint: backend.endpoint }, runtime);
  const store = aStoreAt(backend, { transport: { request, complete } }, runtime);
  runtime.setOnline(false);
  store.add([aFile()]);
  await isOffline(store);
  expect(runtime.pendingMs()).toEqual([5_000]);
  // The browser wrongly says that it is offline.
  runtime.advance(5_000);
  await ended(store, "done");
});
