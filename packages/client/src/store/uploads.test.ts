import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { aMoment, aStoreAt, ended, failureOf, statuses } from "../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

test("ignores answers that arrive after the upload was cancelled", async () => {
  const answers: (() => void)[] = [];
  const late = <Result>(result: Result) =>
    new Promise<Result>((resolve) => answers.push(() => resolve(result)));
  const file = { file_path: "x", size: 1000 } as never;
  const transport = {
    request: () =>
      late({ presigned_url: new URL("/x", backend.endpoint).href, file_path: "x", headers: {} } as never),
    complete: () => late(file),
  };
  const onUploaded = vi.fn();
  const store = aStoreAt(backend, { transport, onUploaded, concurrency: 1 }, aRuntimeWithoutPauses());
  store.add([aFile()]);
  await expect.poll(() => answers).toHaveLength(1);
  answers.shift()?.();
  await expect.poll(() => answers).toHaveLength(1);
  // The answer of `complete` arrives after the cancellation.
  store.cancel("1");
  answers.shift()?.();
  await aMoment();
  expect(statuses(store)).toEqual(["cancelled"]);
  expect(onUploaded).not.toHaveBeenCalled();

  // The answer of an earlier run arrives while a later run is confirming.
  store.retry("1");
  await expect.poll(() => answers).toHaveLength(1);
  const ofEarlierRun = answers.shift();
  store.cancel("1");
  store.retry("1");
  await expect.poll(() => answers).toHaveLength(1);
  ofEarlierRun?.();
  await aMoment();
  expect(statuses(store)).toEqual(["confirming"]);
  expect(onUploaded).not.toHaveBeenCalled();
  answers.shift()?.();
  await ended(store, "done");
});

test("ignores the result of transform from an earlier run", async () => {
  const made: ((blob: Blob) => void)[] = [];
  const store = aStoreAt(backend, { transform: () => new Promise<Blob>((resolve) => made.push(resolve)) });
  store.add([aFile("a", 5000)]);
  await expect.poll(() => made).toHaveLength(1);
  store.cancel("1");
  store.retry("1");
  await expect.poll(() => made).toHaveLength(2);
  backend.nextAnswers.complete.push("hang");
  made[1]?.(new Blob(["12345678"]));
  await expect.poll(() => backend.of("complete")).toHaveLength(1);
  made[0]?.(new Blob(["1"]));
  await aMoment();
  backend.cutAll();
  await ended(store, "done");
  expect(store.getSnapshot().items[0]).toMatchObject({ size: 8, sentBytes: 8 });
});

const notReadable = () => Promise.reject(new DOMException("", "NotReadableError"));

/** A file whose bytes cannot be read when the function says so. */
function aFileThat(isUnreadable: () => boolean) {
  const file = aFile();
  const slice = file.slice.bind(file);
  file.slice = (...range) => {
    const part = slice(...range);
    if (isUnreadable()) part.arrayBuffer = notReadable;
    return part;
  };
  return file;
}

test("sends a file that the app of a phone hands over only when it is asked again", async () => {
  let reads = 0;
  const store = aStoreAt(backend);
  store.add([aFileThat(() => ++reads === 1)]);
  await ended(store, "done");
  expect(backend.of("put")).toHaveLength(1);
});

test("returns the reservation of a file that was changed, at once and once", async () => {
  backend.nextAnswers.put.push("cut");
  const store = aStoreAt(backend);
  store.add([aFileThat(() => backend.of("put").length > 0)]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "file_unreadable", canRetry: false });
  await expect.poll(() => backend.cancelled.size).toBe(1);
  store.removeAll();
  await aMoment();
  expect(backend.of("cancel")).toHaveLength(1);
});

test.each([
  ["one PUT", 1000],
  ["parts", 12_345],
])(
  "says after some seconds that storage still receives a file by %s, until it has answered",
  async (_, size) => {
    backend.settings.multipartFrom = 5000;
    const runtime = aRuntimeWithoutPauses();
    const step = size === 1000 ? "put" : "part";
    backend.nextAnswers[step] = Array.from({ length: 13 }, () => "hang" as const);
    const store = aStoreAt(backend, {}, runtime);
    store.add([aFile("a", size)]);
    const isReceiving = () => {
      const [item] = store.getSnapshot().items;
      return item?.status === "uploading" && item.isStorageReceiving;
    };
    await expect.poll(() => store.getSnapshot().items[0]?.sentBytes).toBe(Math.min(size, 6000));
    await aMoment();
    runtime.advance(3900);
    await aMoment();
    expect(isReceiving()).toBeFalsy();
    runtime.advance(100);
    await expect.poll(isReceiving).toBe(true);
    backend.nextAnswers[step] = [];
    backend.cutAll();
    await ended(store, "done");
  },
);
