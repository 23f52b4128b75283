import { afterEach, beforeEach, expect, it } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aFile, aHurriedRuntime } from "../../../test/runtime.js";
import { aStoreAt, ended, failureOf } from "../../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

const SEND_AGAIN = ["request", "put", "put", "complete"];
// Before it asks for another URL it looks whether the first PUT came through.
const ASK_AGAIN = ["request", "put", "complete", "request", "put", "complete"];

type Answer = Backend["nextAnswers"]["put"][number];

/** Uploads one file whose first PUT ends as told, after something happened to the clock. */
function upload(answer: Answer, happens: (runtime: ReturnType<typeof aHurriedRuntime>) => void = () => {}) {
  const runtime = aHurriedRuntime();
  let puts = 0;
  const createXhr = () => {
    if (++puts === 1) happens(runtime);
    return runtime.createXhr();
  };
  const store = aStoreAt(backend, {}, { ...runtime, createXhr });
  backend.nextAnswers.put.push(answer);
  store.add([aFile()]);
  return store;
}

it("sends with the same URL again while 30 s of it remain", async () => {
  const store = upload({ status: 500 }, (runtime) => runtime.advance(3_569_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(SEND_AGAIN);
});

it("asks for another URL when less than 30 s remain", async () => {
  const store = upload({ status: 500 }, (runtime) => runtime.advance(3_571_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(ASK_AGAIN);
});

it("is not misled by a clock that is set, hours off as it may be", async () => {
  const store = upload({ status: 500 }, (runtime) => runtime.setClock(-9 * 3_600_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(SEND_AGAIN);
});

it("notices that the computer slept past the end of a URL", async () => {
  const store = upload({ status: 500 }, (runtime) => runtime.sleep(9 * 3_600_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(ASK_AGAIN);
});

it("asks again after no answer to a URL that has lapsed, and counts that as a try", async () => {
  backend.settings.expiresIn = 0;
  backend.nextAnswers.put.push(...Array.from({ length: 5 }, () => "cut" as const));
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  expect(backend.of("put")).toHaveLength(5);
  expect(backend.of("request")).toHaveLength(5);
  expect(failureOf(store)).toMatchObject({ code: "network_error", status: 0 });
});

it("finds what storage took and never answered when the URL has lapsed meanwhile, and sends it no second time", async () => {
  const store = upload("lost", (runtime) => runtime.advance(3_571_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
  expect(backend.stored.size).toBe(1);
});

it("asks for no other URL before it knows whether the bytes came through", async () => {
  backend.nextAnswers.complete.push("cut", { status: 500 });
  const store = upload("lost", (runtime) => runtime.advance(3_571_000));
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete", "complete", "complete"]);
  expect(backend.stored.size).toBe(1);
});

it("asks once more after a 400 that speaks of expiry, and not after another 400", async () => {
  const store = upload({ status: 400, body: "<Code>ExpiredToken</Code>" });
  await ended(store, "done");
  expect(backend.steps()).toEqual(ASK_AGAIN);

  const other = upload({ status: 400, body: "<Code>InvalidDigest</Code>" });
  await ended(other, "failed");
  expect(failureOf(other)).toMatchObject({ code: "storage_refused", status: 400 });
});

it("does not ask without end when every URL is refused", async () => {
  backend.nextAnswers.put.push(...Array.from({ length: 9 }, () => ({ status: 403 })));
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  expect(backend.of("put")).toHaveLength(2);
});

/** A connection that takes so many bytes and breaks. */
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

it("counts tries anew once a PUT got further than any before", async () => {
  const runtime = aHurriedRuntime();
  let puts = 0;
  // Eight interruptions, each further on: more than five tries, and none in vain.
  const createXhr = () => (++puts <= 8 ? aBreakingXhr(puts * 100) : runtime.createXhr());
  const store = aStoreAt(backend, {}, { ...runtime, createXhr });
  store.add([aFile()]);
  await ended(store, "done");
  expect(puts).toBe(9);
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
});

it("gives up after five tries that all break at the same place", async () => {
  let puts = 0;
  const createXhr = () => (puts++, aBreakingXhr(500));
  const store = aStoreAt(backend, {}, { ...aHurriedRuntime(), createXhr });
  store.add([aFile()]);
  await ended(store, "failed");
  expect(puts).toBe(5);
  expect(store.getSnapshot().items[0]?.sentBytes).toBe(500);
});
