import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { aStoreAt, ended, failureOf, settled } from "../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

const bodyOf = (index: number) => JSON.parse(backend.of("request")[index]?.body ?? "") as unknown;

const SAME_URL_STEPS = ["request", "put", "put", "complete"];
// Before it requests another ticket, the upload asks whether the first PUT has arrived.
const NEW_URL_STEPS = ["request", "put", "complete", "request", "put", "complete"];

type Answer = Backend["nextAnswers"]["put"][number];

/** Uploads one file. `beforePut` runs before the first PUT, which the backend answers with `answer`. */
function uploadWith(
  answer: Answer,
  beforePut: (runtime: ReturnType<typeof aRuntimeWithoutPauses>) => void = () => {},
) {
  const runtime = aRuntimeWithoutPauses();
  let puts = 0;
  const createXhr = () => {
    if (++puts === 1) beforePut(runtime);
    return runtime.createXhr();
  };
  const store = aStoreAt(backend, {}, { ...runtime, createXhr });
  backend.nextAnswers.put.push(answer);
  store.add([aFile()]);
  return store;
}

/** A request whose connection breaks after some bytes. */
function aBreakingXhr(bytes: number) {
  const xhr = {
    upload: {} as { onprogress?: (event: { loaded: number }) => void },
    onerror: () => {},
    open() {},
    setRequestHeader() {},
    abort() {},
    send() {
      setTimeout(() => {
        this.upload.onprogress?.({ loaded: bytes });
        this.onerror();
      });
    },
  };
  return xhr as unknown as XMLHttpRequest;
}

test("PUTs with the headers of the ticket, and requests no content type that the browser does not know", async () => {
  const store = aStoreAt(backend);
  store.add([aFile("notes", 3, "")]);
  await ended(store, "done");
  expect(JSON.parse(backend.of("request")[0]?.body ?? "")).toEqual({
    filename: "notes",
    size: 3,
    files_before: 0,
    idempotency_key: expect.any(String),
    accepts_parts: true,
  });
  expect(backend.of("put")[0]?.headers).toMatchObject({
    "content-type": "application/octet-stream",
    "x-signed": "yes-1",
  });
});

test("retries with the same URL while it is valid, so that the file is stored once", async () => {
  backend.nextAnswers.put.push("cut", { status: 500 });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "put", "put", "complete"]);
  expect(backend.stored.size).toBe(1);
});

test("fails after five attempts, and starts again when a person retries", async () => {
  backend.nextAnswers.request.push(...Array.from({ length: 5 }, () => ({ status: 500 })));
  const onFailed = vi.fn();
  const runtime = aRuntimeWithoutPauses();
  const store = aStoreAt(backend, { onFailed }, runtime);
  store.add([aFile()]);
  await ended(store, "failed");
  expect(backend.steps()).toEqual(Array.from({ length: 5 }, () => "request"));
  expect(runtime.pausesMs).toEqual([250, 500, 1000, 2000]);
  expect(failureOf(store)).toMatchObject({ code: "unavailable", status: 500, canRetry: true });
  expect(onFailed).toHaveBeenCalledOnce();

  store.retry("1");
  await ended(store, "done");
});

test("requests another ticket when storage refuses the URL, and fails at the second refusal", async () => {
  backend.nextAnswers.put.push({ status: 403 });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete", "request", "put", "complete"]);

  backend.nextAnswers.put.push({ status: 403 }, { status: 403 });
  const refused = aStoreAt(backend);
  refused.add([aFile()]);
  await ended(refused, "failed");
  expect(failureOf(refused)).toMatchObject({ code: "storage_refused", status: 403 });
  expect(backend.of("put")).toHaveLength(4);
});

test.each([
  [401, "unauthorized", true],
  [403, "quota_exceeded", true],
  [400, "file_too_large", false],
  [400, "invalid_request", false],
])("does not repeat a request refused with %i %s", async (status, code, canRetry) => {
  backend.nextAnswers.request.push({ status, body: { detail: "No, because.", code } });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  expect(backend.steps()).toEqual(["request"]);
  expect(failureOf(store)).toMatchObject({ code, canRetry });
});

test("fails without a retry when the URL of the ticket is not valid", async () => {
  let requests = 0;
  const request = () => {
    requests++;
    return Promise.resolve({ presigned_url: "//", file_path: "x", headers: {}, expires_in: 60 } as never);
  };
  const store = aStoreAt(backend, { transport: { request, complete: request } });
  store.add([aFile()]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "unexpected_answer", status: 0, canRetry: true });
  expect(requests).toBe(1);
});

test("fails without a retry when the file can no longer be read", async () => {
  const gone = aFile();
  Object.defineProperty(gone, "slice", {
    value: () => ({ arrayBuffer: () => Promise.reject(new DOMException("gone", "NotReadableError")) }),
  });
  const store = aStoreAt(backend);
  store.add([gone]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "file_unreadable", canRetry: false });
  expect(backend.calls).toEqual([]);
});

test("sends the route, the input, and the number of files before this one", async () => {
  backend.settings.routes = { avatar: {} };
  const store = aStoreAt(backend, {
    route: "avatar",
    input: (file: File) => ({ album: file.name }),
    concurrency: 1,
  });
  store.add([aFile("a"), aFile("b")]);
  await settled(store);
  expect(bodyOf(0)).toMatchObject({ route: "avatar", input: { album: "a" }, files_before: 0 });
  expect(bodyOf(1)).toMatchObject({ route: "avatar", input: { album: "b" }, files_before: 1 });
});

test("uses a URL again that is valid for 30 s more", async () => {
  const store = uploadWith({ status: 500 }, (runtime) => runtime.advance(3_569_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(SAME_URL_STEPS);
});

test("requests another ticket when the URL is valid for less than 30 s", async () => {
  const store = uploadWith({ status: 500 }, (runtime) => runtime.advance(3_571_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(NEW_URL_STEPS);
});

test("uses the URL again when the system clock was set back", async () => {
  const store = uploadWith({ status: 500 }, (runtime) => runtime.setClock(-9 * 3_600_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(SAME_URL_STEPS);
});

test("requests another ticket when the computer slept past the end of the URL", async () => {
  const store = uploadWith({ status: 500 }, (runtime) => runtime.sleep(9 * 3_600_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(NEW_URL_STEPS);
});

test("requests another ticket after a PUT without an answer to an expired URL, and counts it as an attempt", async () => {
  backend.settings.expiresIn = 0;
  backend.nextAnswers.put.push(...Array.from({ length: 5 }, () => "cut" as const));
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  expect(backend.of("put")).toHaveLength(5);
  expect(backend.of("request")).toHaveLength(5);
  expect(failureOf(store)).toMatchObject({ code: "storage_unreachable", status: 0 });
});

test("sends nothing again when the answer was lost, the URL has expired, and storage has the bytes", async () => {
  const store = uploadWith("lost", (runtime) => runtime.advance(3_571_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
  expect(backend.stored.size).toBe(1);
});

test("requests no other ticket before it knows whether the bytes arrived", async () => {
  backend.nextAnswers.complete.push("cut", { status: 500 });
  const store = uploadWith("lost", (runtime) => runtime.advance(3_571_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete", "complete", "complete"]);
  expect(backend.stored.size).toBe(1);
});

test("requests another ticket after a 400 about expiry, and not after another 400", async () => {
  const store = uploadWith({ status: 400, body: "<Code>ExpiredToken</Code>" });
  await ended(store, "done");
  expect(backend.steps()).toEqual(NEW_URL_STEPS);

  const other = uploadWith({ status: 400, body: "<Code>InvalidDigest</Code>" });
  await ended(other, "failed");
  expect(failureOf(other)).toMatchObject({ code: "storage_refused", status: 400 });
});

test("fails when storage refuses the second URL too", async () => {
  backend.nextAnswers.put.push(...Array.from({ length: 9 }, () => ({ status: 403 })));
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  expect(backend.of("put")).toHaveLength(2);
});

test("counts attempts from 1 again after a PUT got further than any before", async () => {
  const runtime = aRuntimeWithoutPauses();
  let puts = 0;
  // Eight interruptions are more than five attempts, but each attempt got further than the last.
  const createXhr = () => (++puts <= 8 ? aBreakingXhr(puts * 100) : runtime.createXhr());
  const store = aStoreAt(backend, {}, { ...runtime, createXhr });
  store.add([aFile()]);
  await ended(store, "done");
  expect(puts).toBe(9);
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
});

test("fails after five attempts that all break at the same byte", async () => {
  let puts = 0;
  const createXhr = () => (puts++, aBreakingXhr(500));
  const store = aStoreAt(backend, {}, { ...aRuntimeWithoutPauses(), createXhr });
  store.add([aFile()]);
  await ended(store, "failed");
  expect(puts).toBe(5);
  expect(store.getSnapshot().items[0]?.sentBytes).toBe(500);
});

/** A file that can be read once, and then fails with an error of this name. */
function aFileThatBreaks(errorName: string) {
  const file = aFile();
  let reads = 0;
  const arrayBuffer = () =>
    ++reads === 1 ? Promise.resolve(new ArrayBuffer(1)) : Promise.reject(new DOMException("", errorName));
  const slice = file.slice.bind(file);
  // Only the check reads a single byte. The PUT reads larger parts.
  Object.defineProperty(file, "slice", {
    value: (start: number, end: number) => (end - start === 1 ? { arrayBuffer } : slice(start, end)),
  });
  return file;
}

test("fails without a retry when the file was changed during the PUT", async () => {
  const store = aStoreAt(backend);
  store.add([aFileThatBreaks("NotReadableError")]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "file_unreadable", canRetry: false });
  expect(backend.steps().slice(0, 2)).toEqual(["request", "put"]);
  expect(backend.of("complete")).toEqual([]);
});

test("confirms a file that was deleted during the PUT, because storage has all of it", async () => {
  const store = aStoreAt(backend);
  store.add([aFileThatBreaks("NotFoundError")]);
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
});
