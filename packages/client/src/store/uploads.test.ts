import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { aMoment, aStoreAt, ended, statuses } from "../../test/store.js";

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
