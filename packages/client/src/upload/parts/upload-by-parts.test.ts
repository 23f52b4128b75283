import { afterEach, beforeEach, expect, test } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aRuntime, aRuntimeWithoutPauses } from "../../../test/runtime.js";
import { aMoment, aStoreAt, ended, failureOf, settled } from "../../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
  backend.settings.multipartFrom = 5000;
});
afterEach(() => backend.close());

/** A file whose bytes are all different from those around them. With parts of 1000 bytes it has 13 parts. */
function aLargeFile(name = "film.mp4", size = 12_345): File {
  return new File([bytesOf(size)], name, { type: "video/mp4" });
}

interface SignPartsBody {
  parts: { number: number }[];
}

const bytesOf = (size: number) =>
  Uint8Array.from({ length: size }, (_, index) => (index * 7 + (index >> 8)) & 255);

/** The numbers of the parts that were sent, in the order of their arrival. */
const sentParts = () => backend.of("part").map(({ part }) => part);
const storedBytes = () => backend.stored.values().next().value?.bytes;
const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const sorted = (values: (number | undefined)[]) => values.toSorted((a, b) => Number(a) - Number(b));

test("sends each part once, and completes the upload", async () => {
  const store = aStoreAt(backend);
  store.add([aLargeFile()]);
  await ended(store, "done");
  expect(sorted(sentParts())).toEqual(numbers(1, 13));
  expect(storedBytes()?.equals(bytesOf(12_345))).toBe(true);
  expect(backend.steps().filter((step) => step !== "part")).toEqual(["request", "parts", "complete"]);
  expect(JSON.parse(backend.of("request")[0]?.body ?? "")).toMatchObject({ accepts_parts: true });
});

test("sends six parts at the same time, of one file and of all files together", async () => {
  const store = aStoreAt(backend);
  backend.nextAnswers.part.push(...Array.from({ length: 20 }, () => "hang" as const));
  store.add([aLargeFile("a")]);
  await expect.poll(() => backend.of("part")).toHaveLength(6);
  store.add([aLargeFile("b"), aLargeFile("c")]);
  await aMoment();
  expect(backend.of("part")).toHaveLength(6);
  store.cancelAll();
});

test("sends a file of up to the threshold by one PUT", async () => {
  const store = aStoreAt(backend);
  store.add([aLargeFile("small", 4999)]);
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
});

test("sums up the progress of the parts, which never falls", async () => {
  backend.nextAnswers.part.push({ cutAfterBytes: 500 }, "cut", { status: 500 });
  const store = aStoreAt(backend);
  const shown: number[] = [];
  store.subscribe(() => shown.push(store.getSnapshot().items[0]?.sentBytes ?? 0));
  store.add([aLargeFile()]);
  await ended(store, "done");
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  expect(shown.at(-1)).toBe(12_345);
});

test("repeats only the part that failed", async () => {
  backend.nextAnswers.part.push("cut", { status: 503 });
  const store = aStoreAt(backend);
  store.add([aLargeFile()]);
  await ended(store, "done");
  expect(backend.of("part")).toHaveLength(15);
  expect(storedBytes()?.equals(bytesOf(12_345))).toBe(true);
});

test("lists the parts instead of sending a part again whose answer was lost", async () => {
  backend.nextAnswers.part.push("lost");
  const store = aStoreAt(backend);
  store.add([aLargeFile()]);
  await ended(store, "done");
  expect(sorted(sentParts())).toEqual(numbers(1, 13));
  expect(backend.of("listParts")).toHaveLength(1);
});

test("fails after five attempts of one part, and sends only the missing parts when a person retries", async () => {
  const store = aStoreAt(backend, {}, { ...aRuntimeWithoutPauses() });
  backend.refusePart(13, 20);
  store.add([aLargeFile()]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "storage_unavailable", canRetry: true });
  const before = backend.of("part").length;
  backend.refusePart(13, 0);
  store.retry("1");
  await ended(store, "done");
  expect(sentParts().slice(before)).toEqual([13]);
  expect(backend.of("request")).toHaveLength(1);
});

test("gets another URL when storage refuses one, and fails at the second refusal of the same part", async () => {
  backend.nextAnswers.part.push({ status: 403 });
  const store = aStoreAt(backend);
  store.add([aLargeFile()]);
  await ended(store, "done");
  expect(backend.of("parts")).toHaveLength(2);

  backend.nextAnswers.part.push(...Array.from({ length: 13 }, () => ({ status: 403 })));
  store.add([aLargeFile()]);
  await settled(store);
  expect(failureOf(store, 1)).toMatchObject({ code: "storage_refused", status: 403 });
});

const MiB = 1024 ** 2;

test.each([
  ["asks for no URLs that came with the upload", Number.POSITIVE_INFINITY, []],
  ["asks for the URLs of the parts that the answer has not signed", 4, [[5, 6]]],
  ["asks an older backend for all URLs", 0, [[1, 2, 3, 4, 5, 6]]],
])("%s", async (_, mostFirstParts, asked) => {
  Object.assign(backend.settings, { partSize: MiB, mostFirstParts });
  const store = aStoreAt(backend);
  store.add([aLargeFile("film.mp4", 6 * MiB - 1)]);
  await ended(store, "done");
  const signed = backend.of("parts").map(({ body }) => (JSON.parse(body) as SignPartsBody).parts);
  expect(signed).toEqual(asked.map((group) => group.map((number) => ({ number }))));
  expect(storedBytes()?.equals(bytesOf(6 * MiB - 1))).toBe(true);
});

test("asks again for a URL that came with the upload and has expired meanwhile", async () => {
  Object.assign(backend.settings, { partSize: MiB, expiresIn: 29 });
  const store = aStoreAt(backend);
  store.add([aLargeFile("film.mp4", 5 * MiB)]);
  await ended(store, "done");
  expect(backend.of("parts").length).toBeGreaterThan(0);
});

test("sends another part while a part waits for its next attempt", async () => {
  const runtime = aRuntime();
  const store = aStoreAt(backend, {}, runtime);
  backend.nextAnswers.part.push("cut", ...Array.from({ length: 6 }, () => "hang" as const));
  store.add([aLargeFile()]);
  await expect.poll(() => sorted(sentParts())).toEqual(numbers(1, 7));
  // The part that was cut still waits, because no time has passed.
  expect(runtime.pendingMs()[0]).toBeLessThan(10_000);
  store.cancelAll();
});

test("signs URLs in groups of 100", async () => {
  backend.settings.partSize = 50;
  const store = aStoreAt(backend);
  store.add([aLargeFile()]);
  await ended(store, "done");
  const groups = backend.of("parts").map(({ body }) => (JSON.parse(body) as SignPartsBody).parts.length);
  expect(groups[0]).toBe(100);
  expect(groups.length).toBeLessThanOrEqual(4);
  expect(storedBytes()?.equals(bytesOf(12_345))).toBe(true);
});

test("signs a URL again that is valid for less than 30 s", async () => {
  const runtime = aRuntimeWithoutPauses();
  const store = aStoreAt(backend, {}, runtime);
  let hasSlept = false;
  backend.onCall = (step, isAnswered) => {
    if (step !== "part" || !isAnswered || hasSlept) return;
    hasSlept = true;
    runtime.sleep(3_571_000);
  };
  store.add([aLargeFile()]);
  await ended(store, "done");
  expect(backend.of("parts").length).toBeGreaterThan(1);
});

test("sends the missing parts when the completion finds that parts are missing", async () => {
  backend.onCall = (step, isAnswered) => {
    if (step !== "complete" || isAnswered || backend.of("complete").length > 0) return;
    for (const { parts } of backend.openUploads.values()) for (const number of [2, 3]) parts.delete(number);
  };
  const store = aStoreAt(backend);
  store.add([aLargeFile()]);
  await ended(store, "done");
  expect(sentParts().slice(13).toSorted()).toEqual([2, 3]);
  expect(backend.of("listParts")).toHaveLength(1);
  expect(storedBytes()?.equals(bytesOf(12_345))).toBe(true);
});

test("completes an upload that the service has completed by itself", async () => {
  const store = aStoreAt(backend);
  backend.nextAnswers.parts.push({ status: 409, body: { code: "upload_already_stored", detail: "" } });
  backend.nextAnswers.complete.push({ status: 200, body: { file_path: "x", status: "stored" } });
  store.add([aLargeFile()]);
  await ended(store, "done");
  expect(backend.steps()).toEqual(["request", "parts", "complete"]);
});

test("opens another upload when the one of an earlier run is gone", async () => {
  const store = aStoreAt(backend);
  // Many, because calls at the same time share these answers, and each call is tried five times.
  backend.nextAnswers.parts.push(...Array.from({ length: 50 }, () => ({ status: 500 })));
  store.add([aLargeFile()]);
  await ended(store, "failed");
  backend.nextAnswers.parts.length = 0;
  backend.openUploads.clear();
  store.retry("1");
  await ended(store, "done");
  expect(backend.of("request")).toHaveLength(2);
  expect(storedBytes()?.equals(bytesOf(12_345))).toBe(true);
});

/** A list whose file has failed because storage refused its last part, the 13th. From now on storage takes that part. */
async function aStoreWithoutLastPart(transform: () => File) {
  const store = aStoreAt(backend, { transform });
  backend.refusePart(13, 20);
  store.add([aLargeFile()]);
  await ended(store, "failed");
  backend.refusePart(13, 0);
  return store;
}

test("compares parts of another run's file with this one, and sends those that differ", async () => {
  let made = 0;
  /** The second time, the fifth part is another one. */
  const transform = () => {
    const bytes = bytesOf(12_345);
    if (++made > 1) bytes[4500]! ^= 1;
    return new File([bytes], "film.mp4", { type: "video/mp4" });
  };
  const store = await aStoreWithoutLastPart(transform);
  const before = backend.of("part").length;
  store.retry("1");
  await ended(store, "done");
  expect(sentParts().slice(before).toSorted()).toEqual([13, 5]);
  const expected = bytesOf(12_345);
  expected[4500]! ^= 1;
  expect(storedBytes()?.equals(expected)).toBe(true);
});

test("sends missing parts while stored parts are compared, and the last one after that", async () => {
  let haveArrived = () => {};
  const arrived = new Promise<void>((resolve) => (haveArrived = resolve));
  let made = 0;
  /** The stored parts of the second file cannot be read before the missing parts have arrived. */
  const transform = () => {
    const file = aLargeFile();
    const slice = file.slice.bind(file);
    const sliceLate = (start: number, end: number) => {
      const part = slice(start, end);
      const isMissing = [6, 8, 13].includes(start / 1000 + 1);
      const readLate = () => ({ arrayBuffer: () => arrived.then(() => part.arrayBuffer()) });
      return isMissing || part.size < 1000 ? part : Object.assign(part, { slice: readLate });
    };
    return ++made === 1 ? file : Object.assign(file, { slice: sliceLate });
  };
  const store = await aStoreWithoutLastPart(transform);
  const before = backend.of("part").length;
  for (const { parts } of backend.openUploads.values()) for (const number of [6, 8]) parts.delete(number);
  backend.onCall = (step, isAnswered) => {
    if (step === "part" && isAnswered && backend.of("part").length === before + 2) haveArrived();
  };
  store.retry("1");
  await ended(store, "done");
  expect(
    sentParts()
      .slice(before, before + 2)
      .toSorted(),
  ).toEqual([6, 8]);
  expect(sentParts().slice(before + 2)).toEqual([13]);
  expect(storedBytes()?.equals(bytesOf(12_345))).toBe(true);
});

/** Makes another file with each call: the second one differs from the first in the bytes of some parts. */
function madeTwice(...differing: number[]) {
  const first = bytesOf(12_345);
  const second = bytesOf(12_345);
  for (const number of differing) second[(number - 1) * 1000 + 500]! ^= 1;
  const contents = [first, second];
  const transform = () =>
    new File([contents.length > 1 ? contents.shift()! : second], "film.mp4", { type: "video/mp4" });
  return { first, second, transform };
}

/** As the service does by itself, as soon as no part is missing. */
function completeWithoutMissingParts() {
  backend.onCall = (step, isAnswered) => {
    if (step !== "part" || !isAnswered) return;
    for (const [path, { parts }] of backend.openUploads) {
      if (parts.size === 13) backend.completeOpen(path);
    }
  };
}

test("replaces the parts of another file before it sends the last missing part", async () => {
  const { second, transform } = madeTwice(5, 12);
  const store = await aStoreWithoutLastPart(transform);
  const before = backend.of("part").length;
  // The missing part would arrive before these two.
  backend.refusePart(5, 2);
  backend.refusePart(12, 2);
  completeWithoutMissingParts();
  store.retry("1");
  await ended(store, "done");
  expect(sentParts().slice(before).at(-1)).toBe(13);
  expect(storedBytes()?.equals(second)).toBe(true);
});

test("keeps the last missing part back also after a pause", async () => {
  const { second, transform } = madeTwice(5, 12);
  const store = await aStoreWithoutLastPart(transform);
  const before = backend.of("part").length;
  backend.refusePart(12, 2);
  backend.nextAnswers.part.push("hang");
  store.retry("1");
  await expect.poll(() => sentParts().length).toBeGreaterThan(before);
  store.pause("1");
  await expect.poll(() => backend.abandonedCalls()).toBeGreaterThan(0);
  completeWithoutMissingParts();
  store.resume("1");
  await ended(store, "done");
  expect(sentParts().slice(before).at(-1)).toBe(13);
  expect(storedBytes()?.equals(second)).toBe(true);
});

test("leaves the upload of another file alone that misses no part, and opens one of its own", async () => {
  const { first, second, transform } = madeTwice(5);
  const store = await aStoreWithoutLastPart(transform);
  const [[path, upload] = []] = backend.openUploads;
  // Its PUT had arrived after all.
  upload?.parts.set(13, { bytes: Buffer.from(first.subarray(12_000)), etag: "the answer was lost" });
  store.retry("1");
  await ended(store, "done");
  const keys = backend.of("request").map(({ body }) => JSON.parse(body).idempotency_key);
  expect(new Set(keys).size).toBe(2);
  expect(storedBytes()?.equals(second)).toBe(true);
  expect(backend.cancelled.size).toBe(0);
  backend.completeOpen(path ?? "");
  expect(backend.stored.get(path ?? "")?.bytes?.equals(first)).toBe(true);
});

test("opens another upload when the service completes the upload of another file meanwhile", async () => {
  const { first, second, transform } = madeTwice(5);
  const store = await aStoreWithoutLastPart(transform);
  const [[path, upload] = []] = backend.openUploads;
  backend.refusePart(5, 1);
  backend.onCall = (step, isAnswered) => {
    if (step !== "part" || !isAnswered || !backend.openUploads.has(path ?? "")) return;
    upload?.parts.set(13, { bytes: Buffer.from(first.subarray(12_000)), etag: "by another page" });
    backend.completeOpen(path ?? "");
  };
  store.retry("1");
  await ended(store, "done");
  expect(backend.of("request")).toHaveLength(2);
  expect(backend.stored.get(path ?? "")?.bytes?.equals(first)).toBe(true);
  expect([...backend.stored.values()].at(-1)?.bytes?.equals(second)).toBe(true);
});

test("fails with upload_expired when another page cancels the upload, and opens another one when a person retries", async () => {
  const store = aStoreAt(backend);
  backend.refusePart(13, 1);
  let cancelled: Promise<Response> | undefined;
  backend.onCall = (step) => {
    if (step !== "part" || backend.of("part").length < 3) return;
    const [file_path] = backend.openUploads.keys();
    cancelled ??= fetch(`${backend.endpoint}/cancel`, {
      method: "POST",
      body: JSON.stringify({ file_path }),
    });
  };
  store.add([aLargeFile()]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "upload_expired", canRetry: true });
  expect((await cancelled)?.status).toBe(200);
  store.retry("1");
  await ended(store, "done");
  expect(backend.of("request")).toHaveLength(2);
  expect(storedBytes()?.equals(bytesOf(12_345))).toBe(true);
});

test("says that the file cannot be read when it is deleted before its parts are compared", async () => {
  let isDeleted = false;
  const transform = () => {
    const file = aLargeFile();
    const slice = file.slice.bind(file);
    const arrayBuffer = () => Promise.reject(new DOMException("deleted", "NotFoundError"));
    const sliceOfDeleted = (start: number, end: number) =>
      Object.assign(slice(start, end), { slice: sliceOfDeleted, arrayBuffer });
    if (isDeleted) Object.assign(file, { slice: sliceOfDeleted });
    return file;
  };
  const store = aStoreAt(backend, { transform });
  backend.refusePart(13, 20);
  store.add([aLargeFile()]);
  await ended(store, "failed");
  isDeleted = true;
  store.retry("1");
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "file_unreadable" });
});

test("stops when the file is changed between two parts", async () => {
  const file = aLargeFile();
  const slice = file.slice.bind(file);
  Object.defineProperty(file, "slice", {
    value(start: number, end: number) {
      const isCheck = end - start === 1;
      if (!isCheck || backend.of("part").length < 3) return slice(start, end);
      return { arrayBuffer: () => Promise.reject(new DOMException("changed", "NotReadableError")) };
    },
  });
  const store = aStoreAt(backend);
  store.add([file]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "file_unreadable", canRetry: false });
  expect(backend.of("complete")).toHaveLength(0);
});

test("cancels the upload on the server at once, and aborts the parts in flight", async () => {
  const store = aStoreAt(backend);
  backend.nextAnswers.part.push(...Array.from({ length: 6 }, () => "hang" as const));
  store.add([aLargeFile()]);
  await expect.poll(() => backend.of("part")).toHaveLength(6);
  store.cancel("1");
  await expect.poll(() => backend.cancelled.size).toBe(1);
  await expect.poll(() => backend.abandonedCalls()).toBe(6);
});

test("opens another upload when a person retries a cancelled file whose cancellation has not reached the service", async () => {
  const store = aStoreAt(backend);
  backend.nextAnswers.part.push(...Array.from({ length: 6 }, () => "hang" as const));
  backend.nextAnswers.cancel.push("hang");
  store.add([aLargeFile()]);
  await expect.poll(() => backend.of("part")).toHaveLength(6);
  store.cancel("1");
  store.retry("1");
  await ended(store, "done");
  expect(backend.of("request")).toHaveLength(2);
  expect(storedBytes()?.equals(bytesOf(12_345))).toBe(true);
});

test("waits for the connection, and continues with what is missing", async () => {
  const runtime = aRuntimeWithoutPauses();
  const store = aStoreAt(backend, {}, runtime);
  backend.onCall = (step) => {
    if (step === "part" && backend.of("part").length === 3) {
      backend.onCall = () => {};
      runtime.setOnline(false);
      backend.settings.isDown = true;
      backend.cutAll();
    }
  };
  store.add([aLargeFile()]);
  await expect.poll(() => store.getSnapshot().isOffline).toBe(true);
  backend.settings.isDown = false;
  runtime.setOnline(true);
  await ended(store, "done");
  expect(storedBytes()?.equals(bytesOf(12_345))).toBe(true);
});

test("a small file is not kept waiting by large ones", async () => {
  const store = aStoreAt(backend, { concurrency: 2 });
  store.add([aLargeFile("a", 60_000), aLargeFile("b", 60_000), aLargeFile("note", 10)]);
  await expect.poll(() => store.getSnapshot().items[2]?.status).toBe("done");
  expect(backend.stored.size).toBe(1);
  await ended(store, "done", "done", "done");
});
