import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { aRuntime } from "../../test/runtime.js";
import { createPartComparison } from "./compare-parts.js";
import { createMd5Hasher } from "./md5-hasher.js";
import type { Md5Answer, Md5Request } from "./md5-worker.js";

const PART = 300_000;
const bytes = Uint8Array.from({ length: 2 * PART + 5 }, (_, index) => (index * 7 + (index >> 8)) & 255);
const file = new Blob([bytes]);
const md5 = (data: Uint8Array) => createHash("md5").update(data).digest("hex");
const partOf = (number: number) => bytes.subarray((number - 1) * PART, number * PART);
const storedPart = (number: number, etag = md5(partOf(number))) => ({
  number,
  size: partOf(number).length,
  etag,
});

const runtime = aRuntime();
const options = { file, partSizeBytes: PART, isSampleSame: true };

test("a part is the same if its ETag is the MD5 of these bytes of the file", async () => {
  const parts = createPartComparison(runtime, options);
  for (const number of [1, 2, 3]) expect(await parts.isSame(storedPart(number))).toBe(true);
  expect(await parts.isSame(storedPart(3, `"${md5(partOf(3)).toUpperCase()}"`))).toBe(true);
});

test("a part of another file is not the same, even if its size and the samples are", async () => {
  const other = bytes.slice();
  other[PART + 150_000]! ^= 1;
  const parts = createPartComparison(runtime, { ...options, file: new Blob([other]) });
  expect(await parts.isSame(storedPart(1))).toBe(true);
  expect(await parts.isSame(storedPart(2))).toBe(false);
});

test("a part of another size is not the same, and is not read", async () => {
  const parts = createPartComparison(runtime, options, () => {
    throw new Error("read");
  });
  expect(await parts.isSame({ ...storedPart(1), size: PART - 1 })).toBe(false);
  expect(await parts.isSame({ ...storedPart(1), number: 4 })).toBe(false);
});

test.each([true, false])("where ETags are no MD5s, the samples decide: %s", async (isSampleSame) => {
  const parts = createPartComparison(runtime, { ...options, isSampleSame });
  expect(await parts.isSame(storedPart(1, "9cf1-kms"))).toBe(isSampleSame);
});

/** A worker whose thread is this one. */
function aWorker(answerTo: (request: Md5Request) => Md5Answer, startsWith: "ready" | "error" | "nothing") {
  const target = new EventTarget();
  const send = (data: Md5Answer) => target.dispatchEvent(new MessageEvent("message", { data }));
  queueMicrotask(() => {
    if (startsWith === "ready") send({ type: "ready" });
    if (startsWith === "error") target.dispatchEvent(new Event("error", { cancelable: true }));
  });
  return Object.assign(target, {
    postMessage: (request: Md5Request) => queueMicrotask(() => send(answerTo(request))),
    terminate: vi.fn<() => void>(),
  }) as unknown as Worker;
}

test("hashes in the worker, and ends it", async () => {
  const worker = aWorker(({ id }) => ({ type: "hashed", id, md5: `md5 of ${id}` }), "ready");
  const hasher = createMd5Hasher(runtime, () => worker);
  expect(await Promise.all([hasher.md5Of(file), hasher.md5Of(file)])).toEqual(["md5 of 1", "md5 of 2"]);
  hasher.close();
  expect(worker.terminate).toHaveBeenCalledTimes(1);
  await expect(hasher.md5Of(file)).rejects.toThrow("closed");
});

test("passes on why the worker cannot read the file", async () => {
  const failed = { type: "failed", name: "NotReadableError", message: "gone" } as const;
  const hasher = createMd5Hasher(runtime, () => aWorker(({ id }) => ({ ...failed, id }), "ready"));
  await expect(hasher.md5Of(file)).rejects.toMatchObject({ name: "NotReadableError" });
});

test("hashes without the worker after it crashed, also what it was hashing", async () => {
  const worker = aWorker(() => ({ type: "ready" }), "ready");
  const hasher = createMd5Hasher(runtime, () => worker);
  const hash = hasher.md5Of(file);
  await new Promise((resolve) => setTimeout(resolve));
  worker.dispatchEvent(new Event("error", { cancelable: true }));
  expect(await hash).toBe(md5(bytes));
  expect(await hasher.md5Of(file)).toBe(md5(bytes));
  expect(worker.terminate).toHaveBeenCalledTimes(1);
});

test.each([
  [
    "cannot be created",
    () => {
      throw new DOMException("worker-src", "SecurityError");
    },
  ],
  ["cannot be loaded", () => aWorker(() => ({ type: "ready" }), "error")],
] as const)("hashes without a worker that %s", async (_, createWorker) => {
  const hasher = createMd5Hasher(runtime, createWorker);
  expect(await hasher.md5Of(file)).toBe(md5(bytes));
});

test("hashes without a worker that does not start within five seconds", async () => {
  const clock = aRuntime();
  const worker = aWorker(() => ({ type: "ready" }), "nothing");
  const hasher = createMd5Hasher(clock, () => worker);
  const hash = hasher.md5Of(file);
  clock.advance(5000);
  expect(await hash).toBe(md5(bytes));
  expect(worker.terminate).toHaveBeenCalledTimes(1);
});
