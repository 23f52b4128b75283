// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ticketFor } from "../../test/ticket.js";
import { createUploadStore } from "../store/upload-store.js";
import { createFakeTransport, UploadError } from "./index.js";

// No test here may use a network.
beforeEach(() => {
  vi.stubGlobal("fetch", () => expect.fail("fetch was called"));
  vi.stubGlobal("XMLHttpRequest", function Refused() {
    expect.fail("an XMLHttpRequest was made");
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const hello = () => new File(["hello"], "hello.txt", { type: "text/plain" });
const textOf = (bytes: Uint8Array | null | undefined) => new TextDecoder().decode(bytes ?? undefined);

async function settled(store: ReturnType<typeof createUploadStore>) {
  await expect
    .poll(() => {
      const { totals } = store.getSnapshot();
      return totals.files > 0 && totals.active === 0;
    })
    .toBe(true);
  return store.getSnapshot().items;
}

test("records the files that a page has uploaded", async () => {
  const transport = createFakeTransport();
  const store = createUploadStore({ transport });
  store.add([hello()]);
  expect(await settled(store)).toMatchObject([{ status: "done" }]);
  expect(transport.uploads).toMatchObject([{ name: "hello.txt", contentType: "text/plain", isStored: true }]);
  expect(textOf(transport.uploads[0]?.bytes)).toBe("hello");
  expect(transport.calls.map(({ step }) => step).filter((step) => step !== "routes")).toEqual([
    "request",
    "put",
    "complete",
  ]);
});

test("releases the quota of an upload that the page cancels", async () => {
  const transport = createFakeTransport({ quota: 5 });
  const put = transport.holdNext("put");
  const store = createUploadStore({ transport });
  store.add([hello()]);
  await put.arrived;
  store.removeAll();
  await expect.poll(() => transport.uploads).toEqual([]);
  expect(transport.calls.at(-1)?.step).toBe("cancel");
  store.add([hello()]);
  expect(await settled(store)).toMatchObject([{ status: "done" }]);
});

test("returns the result of onComplete as JSON", async () => {
  const transport = createFakeTransport({
    routes: { avatar: { onComplete: ({ name, input }) => ({ name, input, at: new Date(0) }) } },
  });
  const neverAborted = new AbortController().signal;
  const ticket = await ticketFor(transport, { filename: "a", route: "avatar", input: { album: 7 } });
  await transport.put(ticket, new File([], "a"), { signal: neverAborted, onProgress: () => {} });
  expect(await transport.complete(ticket, neverAborted)).toMatchObject({
    status: "stored",
    result: { name: "a", input: { album: 7 }, at: "1970-01-01T00:00:00.000Z" },
  });
});

test("fails the next calls with the given failures, and answers the calls after them", async () => {
  const transport = createFakeTransport();
  const store = createUploadStore({ transport, concurrency: 1 });
  transport.failNext("request", "quota_exceeded");
  transport.failNext("complete", new UploadError("upload_refused", { status: 403, detail: "Not today." }));
  store.add([hello(), hello(), hello()]);
  expect(await settled(store)).toMatchObject([
    { status: "failed", error: { code: "quota_exceeded", status: 403 } },
    { status: "failed", error: { code: "upload_refused", message: "Not today." } },
    { status: "done" },
  ]);
});

test("holds a call until the test releases it, and reports the progress that the test sets", async () => {
  const transport = createFakeTransport();
  const store = createUploadStore({ transport });
  const put = transport.holdNext("put");
  store.add([hello()]);
  await put.arrived;
  put.progress(2);
  await expect.poll(() => store.getSnapshot().items[0]).toMatchObject({ status: "uploading", sentBytes: 2 });
  put.release();
  expect(await settled(store)).toMatchObject([{ status: "done", sentBytes: 5 }]);
});

test("ends a held call when the page cancels it or the test fails it", async () => {
  const transport = createFakeTransport();
  const store = createUploadStore({ transport });
  const [first, second] = [transport.holdNext("request"), transport.holdNext("request")];
  store.add([hello(), hello()]);
  await Promise.all([first.arrived, second.arrived]);
  store.cancel(store.getSnapshot().items[0]?.id ?? "");
  second.fail("unauthorized");
  expect(await settled(store)).toMatchObject([
    { status: "cancelled" },
    { status: "failed", error: { code: "unauthorized" } },
  ]);
  expect(transport.uploads).toEqual([]);
});

test("counts stored files toward the quota, and frees their bytes when they are deleted", async () => {
  const transport = createFakeTransport({ quota: "8B" });
  const store = createUploadStore({ transport, concurrency: 1 });
  store.add([hello(), hello()]);
  expect(await settled(store)).toMatchObject([{ status: "done" }, { error: { code: "quota_exceeded" } }]);
  await transport.delete({ file_path: transport.uploads[0]?.path ?? "" }, new AbortController().signal);
  store.add([hello()]);
  expect((await settled(store)).at(-1)).toMatchObject({ status: "done" });
});

test("takes the configured time, by timers that a test can advance", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const transport = createFakeTransport({ delayMs: 1000, bytesPerSecond: 100 });
  const neverAborted = new AbortController().signal;
  const asked = ticketFor(transport, { filename: "a", size: 10 });
  await vi.advanceTimersByTimeAsync(999);
  expect(transport.uploads).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  const sent: number[] = [];
  const onProgress = (bytes: number) => sent.push(bytes);
  const put = transport.put(await asked, new File(["0123456789"], "a"), { signal: neverAborted, onProgress });
  await vi.advanceTimersByTimeAsync(1050);
  expect(sent).toEqual([0, 5]);
  await vi.advanceTimersByTimeAsync(50);
  await put;
  expect(sent).toEqual([0, 5, 10]);
});

test("is offline after goOffline and online after goOnline", async () => {
  const transport = createFakeTransport();
  const neverAborted = new AbortController().signal;
  transport.goOffline();
  await expect(transport.request({ filename: "a" }, neverAborted)).rejects.toMatchObject({
    code: "network_error",
  });
  await expect(transport.probe(neverAborted)).rejects.toMatchObject({ code: "network_error", status: 0 });
  transport.goOnline();
  await expect(transport.request({ filename: "a" }, neverAborted)).resolves.toMatchObject({ max_bytes: 0 });
});
