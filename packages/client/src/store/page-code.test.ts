import { afterEach, beforeEach, expect, test } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntime } from "../../test/runtime.js";
import { aStoreAt, ended, failureOf, settled, statuses } from "../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

const broken = () => {
  throw new Error("bug of the page");
};

test("lets a person retry when transform threw", async () => {
  let isBroken = true;
  const store = aStoreAt(backend, {
    transform(file) {
      if (isBroken) throw new Error("no canvas");
      return file;
    },
  });
  store.add([aFile()]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "transform_failed", canRetry: true });
  isBroken = false;
  store.retry("1");
  await ended(store, "done");
});

test("ends a file with the default message when the page's own message throws", async () => {
  const store = aStoreAt(backend, {
    concurrency: 1,
    maxSize: 2000,
    errorMessages: { file_too_large: broken, network_error: broken, quota_exceeded: broken },
  });
  backend.nextAnswers.request.push("cut", { status: 409, body: { code: "quota_exceeded" } });
  store.add([aFile("large", 2001), aFile("a"), aFile("b")]);
  await ended(store, "failed", "failed", "done");
  for (const index of [0, 1]) {
    expect(failureOf(store, index)?.message).toBe(
      "The upload was refused. Try again, or choose another file.",
    );
  }
});

test("ends a file when the locale is not valid, or validate returns no text", async () => {
  const store = aStoreAt(backend, {
    locale: "en_US",
    maxSize: 2000,
    validate: (({ name }: File) => name === "bad") as never,
  });
  store.add([aFile("large", 2001), aFile("bad"), aFile("b")]);
  await ended(store, "failed", "failed", "done");
  expect(failureOf(store, 0)?.code).toBe("file_too_large");
  expect(failureOf(store, 1)?.code).toBe("file_refused");
});

test("sends nothing when transform returns no Blob", async () => {
  for (const made of [undefined, null, "text", { width: 10 }]) {
    const store = aStoreAt(backend, { transform: () => made as never });
    store.add([aFile()]);
    await ended(store, "failed");
    expect(failureOf(store)).toMatchObject({ code: "transform_failed", canRetry: true });
  }
  expect(backend.calls).toEqual([]);
});

test("reports an input that is not JSON as unexpected, not as a lost connection", async () => {
  const store = aStoreAt(backend, { input: { count: 1n } });
  store.add([aFile()]);
  await ended(store, "failed");
  expect(failureOf(store)?.code).toBe("unexpected_answer");
  expect(backend.calls).toEqual([]);
});

test("times out after 30 s when headers never resolves, and retries", async () => {
  const runtime = aRuntime({ random: 0 });
  let asked = 0;
  const headers = () => (asked++ === 0 ? new Promise<never>(() => {}) : {});
  const store = aStoreAt(backend, { headers }, runtime);
  store.add([aFile()]);
  await expect.poll(() => runtime.pendingMs()).toEqual([30_000]);
  runtime.advance(30_000);
  await expect.poll(() => asked).toBe(2);
  await expect.poll(() => runtime.pendingMs()).toEqual([0]);
  runtime.advance(0);
  await settled(store);
  expect(statuses(store)).toEqual(["done"]);
});
