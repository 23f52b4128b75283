import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { NodeXhr } from "../../test/node-xhr.js";
import { aFile, aRuntime } from "../../test/runtime.js";
import type { PutOptions } from "../transport.js";
import { putFile } from "./put-file.js";

let backend: Backend;
let url: string;
beforeEach(async () => {
  backend = await startBackend();
  url = new URL("/bucket/key", backend.endpoint).href;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  return backend.close();
});

const headers = { "Content-Type": "image/jpeg", "X-Signed": "yes" };
const ticket = () => ({ presigned_url: url, headers });
const ANSWER_LIMIT_MS = 150_000;
const put = (file: File, runtime: PutRuntime = aRuntime(), more: Partial<PutOptions> = {}) => {
  const options = { signal: new AbortController().signal, onProgress: () => {}, ...more };
  return putFile(runtime, ticket(), file, options, () => ANSWER_LIMIT_MS);
};
type PutRuntime = Parameters<typeof putFile>[0];

test("sends the bytes with exactly the headers of the ticket", async () => {
  const runtime = aRuntime();
  await put(aFile("a.jpg", 5), runtime);
  const [call] = backend.of("put");
  expect(call?.body).toBe("aaaaa");
  expect(Object.keys(call?.headers ?? {}).sort()).toEqual(
    ["connection", "content-length", "content-type", "host", "x-signed"].sort(),
  );
  expect(call?.headers).toMatchObject({
    "content-type": "image/jpeg",
    "x-signed": "yes",
    "content-length": "5",
  });
  expect(runtime.pendingMs()).toEqual([]);
});

test("sends no header that a script of the page adds, such as one for traces", async () => {
  class TracedXhr extends NodeXhr {
    override send(body: Blob) {
      this.setRequestHeader("sentry-trace", "1");
      this.setRequestHeader("baggage", "sentry-environment=production");
      super.send(body);
    }
  }
  await put(aFile(), { ...aRuntime(), createXhr: () => new TracedXhr() as unknown as XMLHttpRequest });
  const sent = Object.keys(backend.of("put")[0]?.headers ?? {});
  expect(sent).not.toContain("sentry-trace");
  expect(sent).not.toContain("baggage");
});

test("sends by the browser's own methods where CapacitorHttp has replaced them", async () => {
  const { open, setRequestHeader, send, abort, getAllResponseHeaders } = NodeXhr.prototype;
  vi.stubGlobal("CapacitorWebXMLHttpRequest", { open, setRequestHeader, send, abort, getAllResponseHeaders });
  const replaced = vi.fn();
  const createXhr = () =>
    Object.assign(new NodeXhr(), { open: replaced, setRequestHeader: replaced, send: replaced });
  await put(aFile("a.jpg", 5), {
    ...aRuntime(),
    createXhr: () => createXhr() as unknown as XMLHttpRequest,
  });
  expect(replaced).not.toHaveBeenCalled();
  expect(backend.of("put")[0]?.body).toBe("aaaaa");
});

test("sends an empty file", async () => {
  await put(aFile("empty", 0));
  expect(backend.stored.get("bucket/key")?.size).toBe(0);
});

test("reports growing progress up to the size of the file", async () => {
  const seen: number[] = [];
  await put(aFile("big", 300_000), aRuntime(), { onProgress: (bytes) => seen.push(bytes) });
  expect(seen.length).toBeGreaterThan(2);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(300_000);
});

test.each([
  [403, "storage_refused"],
  [412, "storage_refused"],
  [503, "storage_unavailable"],
])("turns a %i of storage into %s", async (status, code) => {
  backend.nextAnswers.put.push({ status, headers: { "Retry-After": "2" } });
  await expect(put(aFile())).rejects.toMatchObject({ code, status, retryAfterMs: 2000 });
});

test("reports a cut connection as a network error", async () => {
  backend.nextAnswers.put.push("cut");
  await expect(put(aFile())).rejects.toMatchObject({ code: "network_error", status: 0 });
});

test("times out 30 s after the last progress while it sends", async () => {
  const runtime = aRuntime();
  const sending = put(aFile(), { ...runtime, createXhr: aSilentXhr });
  runtime.advance(29_000);
  xhr.upload.onprogress?.({ loaded: 10 });
  runtime.advance(29_000);
  // An event with the same number of bytes must not extend the deadline.
  xhr.upload.onprogress?.({ loaded: 10 });
  expect(runtime.pendingMs()).toEqual([1000]);
  runtime.advance(1000);
  await expect(sending).rejects.toMatchObject({ code: "timed_out" });
  expect(xhr.abort).toHaveBeenCalledOnce();
});

test("times out when the limit of the answer is over after the last byte", async () => {
  backend.nextAnswers.put.push("hang");
  const runtime = aRuntime();
  const sending = put(aFile(), runtime);
  await expect.poll(() => runtime.pendingMs()).toEqual([ANSWER_LIMIT_MS]);
  runtime.advance(ANSWER_LIMIT_MS);
  await expect(sending).rejects.toMatchObject({ code: "timed_out" });
});

test.each([
  ["a service worker sends the requests", { navigator: { serviceWorker: { controller: {} } } }],
  ["an app's shell has its own XMLHttpRequest", { XMLHttpRequest: function Patched() {} }],
])("waits for the answer, and for no progress, if %s", async (_who, globals) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  const runtime = aRuntime();
  const sending = put(aFile(), { ...runtime, createXhr: aSilentXhr });
  expect(runtime.pendingMs()).toEqual([ANSWER_LIMIT_MS]);
  // If there is progress after all, its end counts.
  xhr.upload.onprogress?.({ loaded: 10 });
  expect(runtime.pendingMs()).toEqual([30_000]);
  runtime.advance(30_000);
  await expect(sending).rejects.toMatchObject({ code: "timed_out" });
});

test("reports a request that the browser itself aborts as a network error, at once", async () => {
  const sending = put(aFile(), { ...aRuntime(), createXhr: aSilentXhr });
  xhr.onabort?.();
  await expect(sending).rejects.toMatchObject({ code: "network_error", status: 0 });
});

test("gives a connection 10 s for its next byte when the device has another network", async () => {
  const runtime = aRuntime();
  const sending = put(aFile(), { ...runtime, createXhr: aSilentXhr });
  runtime.setOnline(false);
  expect(runtime.pendingMs()).toEqual([30_000]);
  runtime.setOnline(true);
  expect(runtime.pendingMs()).toEqual([10_000]);
  xhr.upload.onprogress?.({ loaded: 1 });
  expect(runtime.pendingMs()).toEqual([30_000]);
  runtime.setOnline(true);
  runtime.advance(10_000);
  await expect(sending).rejects.toMatchObject({ code: "timed_out" });
  runtime.setOnline(true);
  expect(runtime.pendingMs()).toEqual([]);
});

test("stops when the caller aborts, and leaves no timer behind", async () => {
  backend.nextAnswers.put.push("hang");
  const runtime = aRuntime();
  const caller = new AbortController();
  const sending = put(aFile(), runtime, { signal: caller.signal });
  caller.abort();
  await expect(sending).rejects.toMatchObject({ name: "AbortError" });
  expect(runtime.pendingMs()).toEqual([]);
});

test("sends nothing when the signal has aborted before", async () => {
  await expect(put(aFile(), aRuntime(), { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(backend.calls).toEqual([]);
});

test("throws the browser's own error for a URL that is not valid", async () => {
  await expect(
    putFile(
      aRuntime(),
      { presigned_url: "//", headers },
      aFile(),
      { signal: new AbortController().signal, onProgress() {} },
      () => ANSWER_LIMIT_MS,
    ),
  ).rejects.toThrow("Invalid URL");
});

// A request that fires only the events of the test. A real network has no such exact times.
const xhr = {
  upload: {} as { onprogress?: (event: { loaded: number }) => void },
  onabort: undefined as (() => void) | undefined,
  open: vi.fn(),
  setRequestHeader: vi.fn(),
  send: vi.fn(),
  abort: vi.fn(),
};
const aSilentXhr = () => xhr as unknown as XMLHttpRequest;
