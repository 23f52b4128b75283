import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aFile, aHurriedRuntime, aRuntime } from "../../../test/runtime.js";
import { aMoment, aStoreAt, ended, settled, statuses } from "../../../test/store.js";
import { createHttpTransport } from "../network/http-transport.js";
import { UploadError } from "../upload-error.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => {
  vi.restoreAllMocks();
  backend.close();
});
const isOffline = (store: ReturnType<typeof aStoreAt>) =>
  vi.waitFor(() => expect(store.getSnapshot().isOffline).toBe(true));

it("holds the queue while the browser is offline, and goes on by its event", async () => {
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

it("goes on by a probe when no event comes: after 5 s, then ever more seldom up to 30 s", async () => {
  const runtime = aRuntime();
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
  const store = aStoreAt(backend, { transport }, runtime);
  store.add([aFile()]);
  await isOffline(store);
  for (const pauseMs of [5_000, 10_000, 20_000, 30_000, 30_000]) {
    await vi.waitFor(() => expect(runtime.pendingMs()).toEqual([pauseMs]));
    const before = probes;
    runtime.advance(pauseMs);
    await vi.waitFor(() => expect(probes).toBe(before + 1));
  }
  await vi.waitFor(() => expect(runtime.pendingMs()).toEqual([30_000]));
  isDown = false;
  runtime.advance(30_000);
  await ended(store, "done");
});

it("spends no try on being offline: a cut PUT waits, and is sent again", async () => {
  const runtime = aRuntime();
  const store = aStoreAt(backend, {}, runtime);
  backend.nextAnswers.put.push("hang");
  store.add([aFile()]);
  await vi.waitFor(() => expect(backend.of("put")).toHaveLength(1));
  for (let outage = 0; outage < 7; outage++) {
    backend.settings.isDown = true;
    backend.cutAll();
    await isOffline(store);
    expect(store.getSnapshot().items[0]).toMatchObject({ status: "requesting", retry: null });
    backend.settings.isDown = false;
    if (outage < 6) backend.nextAnswers.put.push("hang");
    runtime.setOnline(true);
    await vi.waitFor(() => expect(backend.of("put")).toHaveLength(outage + 2));
  }
  await ended(store, "done");
  expect(backend.of("request")).toHaveLength(1);
});

it("takes a refusal for an answer: whoever refuses can be reached", async () => {
  backend.nextAnswers.put.push("cut");
  backend.nextAnswers.routes.push({ status: 500 });
  const store = aStoreAt(backend);
  const seen: boolean[] = [];
  store.subscribe(() => seen.push(store.getSnapshot().isOffline));
  store.add([aFile()]);
  await ended(store, "done");
  expect(backend.of("routes")).toHaveLength(1);
  expect(seen).not.toContain(true);
});

it("follows the browser only while something is to be sent", async () => {
  const runtime = aHurriedRuntime();
  const store = aStoreAt(backend, {}, runtime);
  expect(runtime.followers()).toBe(0);
  store.add([aFile()]);
  expect(runtime.followers()).toBe(1);
  await settled(store);
  await aMoment();
  expect(runtime.followers()).toBe(0);

  backend.settings.isDown = true;
  store.add([aFile()]);
  await isOffline(store);
  store.cancelAll();
  expect(store.getSnapshot().isOffline).toBe(false);
  expect(runtime.followers()).toBe(0);
});

it("lets a transport that cannot be asked rely on the browser's word, and on trying", async () => {
  const runtime = aRuntime();
  const { request, complete } = createHttpTransport({ endpoint: backend.endpoint }, runtime);
  const store = aStoreAt(backend, { transport: { request, complete } }, runtime);
  runtime.setOnline(false);
  store.add([aFile()]);
  await isOffline(store);
  expect(runtime.pendingMs()).toEqual([5_000]);
  // The browser still says offline, and is wrong.
  runtime.advance(5_000);
  await ended(store, "done");
});

it("slows the whole queue down on a 503, and speeds up again with each success", async () => {
  const runtime = aRuntime({ random: 0 });
  const store = aStoreAt(backend, { concurrency: 3 }, runtime);
  backend.nextAnswers.request.push(
    ...Array.from({ length: 3 }, () => ({ status: 503, headers: { "Retry-After": "7" } })),
  );
  store.add(Array.from({ length: 9 }, (_, index) => aFile(`${index}`, 400_000)));
  await vi.waitFor(() => expect(backend.of("request")).toHaveLength(3));
  await aMoment();
  // Six more wait, though nobody is on the wire.
  expect(statuses(store).filter((status) => status === "queued")).toHaveLength(6);
  runtime.advance(6_999);
  await aMoment();
  expect(backend.of("request")).toHaveLength(3);

  // From here on: never more at once than one, plus one for each success before.
  let successes = 0;
  let most = 0;
  let flying = 0;
  backend.onCall = (step, isOver) => {
    if (step === "put" || step === "request") flying += isOver ? -1 : 1;
    most = Math.max(most, flying - successes);
    // A request and its PUT are one passage of the gate, a confirmation is another.
    if (isOver && step !== "request") successes++;
  };
  runtime.advance(1);
  await settled(store);
  expect(most).toBeLessThanOrEqual(1);
  expect(statuses(store)).toEqual(Array.from({ length: 9 }, () => "done"));
  expect(backend.of("put")).toHaveLength(9);
});

it("does not send a file again and again when storage is never reached but the backend is", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.stubGlobal("location", { origin: "https://app.example" });
  backend.nextAnswers.put.push(...Array.from({ length: 5 }, () => "cut" as const));
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
  const text = String(warn.mock.calls[0]?.[0]);
  for (const hint of ["https://app.example", "PUT", "Content-Type, X-Signed", "AllowedOrigins"]) {
    expect(text).toContain(hint);
  }
  expect(text).not.toContain("signature=");
  expect(text).not.toContain("127.0.0.1");
  vi.unstubAllGlobals();
});

it("says nothing of CORS when the connection was lost, or storage answered in between", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  backend.nextAnswers.put.push("cut", "cut", { status: 500 }, "cut", { status: 500 });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  await aMoment();
  expect(warn).not.toHaveBeenCalled();
});
