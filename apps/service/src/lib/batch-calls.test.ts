import { setImmediate as nextTurn } from "node:timers/promises";
import { StowageError } from "@stowage/schemas";
import { afterEach, expect, test, vi } from "vitest";
import { batchCalls, type BatchCallsOptions } from "./batch-calls.js";

afterEach(() => void vi.useRealTimers());

/** Each call starts in a turn of the event loop after the one before it. A time would depend on the machine's load. */
async function callsToStart(): Promise<void> {
  const TURNS = 10;
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}

/**
 * A batched function that doubles numbers once the test lets its call end, and fails for batches for which `isBad` returns an
 * error.
 */
function aCall(
  options: Partial<BatchCallsOptions<number>> = {},
  isBad: (inputs: number[]) => Error | null = () => null,
) {
  const calls: { inputs: number[]; end: () => void }[] = [];
  const double = batchCalls(
    (inputs: number[]) =>
      new Promise<number[]>((resolve, reject) => {
        const bad = isBad(inputs);
        calls.push({ inputs, end: () => (bad ? reject(bad) : resolve(inputs.map((input) => input * 2))) });
      }),
    {
      ownerOf: () => "the only owner",
      maxConcurrentCalls: 1,
      maxBatchSize: 100,
      maxQueueLength: 100,
      maxQueueLengthPerOwner: 100,
      timeoutMs: 10_000,
      ...options,
    },
  );
  /** Lets all calls end until no new call starts. */
  const endAllCalls = async () => {
    for (let seen = 0; ;) {
      await callsToStart();
      if (seen === calls.length) return;
      for (; seen < calls.length; seen++) calls[seen]!.end();
    }
  };
  return { double, calls, endAllCalls, batches: () => calls.map(({ inputs }) => inputs) };
}

test("inputs that arrive together share a call, and each gets its own output", async () => {
  const { double, batches, endAllCalls } = aCall();
  const outputs = Promise.all([double(1), double(2), double(3)]);
  await endAllCalls();
  expect(await outputs).toEqual([2, 4, 6]);
  expect(batches()).toEqual([[1, 2, 3]]);
});

test("inputs that arrive while all calls are running share the next call, in their order", async () => {
  const { double, calls, batches, endAllCalls } = aCall({ maxConcurrentCalls: 2 });
  const first = double(1);
  await callsToStart();
  const second = double(2);
  await callsToStart();
  const rest = [double(3), double(4)];
  await callsToStart();
  expect(batches()).toEqual([[1], [2]]);
  calls[1]!.end();
  await second;
  await endAllCalls();
  expect(batches()).toEqual([[1], [2], [3, 4]]);
  expect(await Promise.all([first, ...rest])).toEqual([2, 6, 8]);
});

test("no call has more inputs than the limit, and every input is handled", async () => {
  const { double, batches, endAllCalls } = aCall({ maxBatchSize: 2 });
  const outputs = Promise.all([1, 2, 3, 4, 5].map(double));
  await endAllCalls();
  expect(await outputs).toEqual([2, 4, 6, 8, 10]);
  expect(batches()).toEqual([[1, 2], [3, 4], [5]]);
});

test("if one input makes its call fail, only that input fails", async () => {
  const bad = new Error("not 3");
  const { double, endAllCalls } = aCall({}, (inputs) => (inputs.includes(3) ? bad : null));
  const outputs = Promise.allSettled([1, 2, 3, 4].map(double));
  await endAllCalls();
  expect(await outputs).toEqual([
    { status: "fulfilled", value: 2 },
    { status: "fulfilled", value: 4 },
    { status: "rejected", reason: bad },
    { status: "fulfilled", value: 8 },
  ]);
});

test("a call that fails with `unavailable` is not repeated, because it may have taken effect", async () => {
  const absent = new StowageError("unavailable", { retryAfterSeconds: 1 });
  const { double, batches, endAllCalls } = aCall({}, () => absent);
  const outputs = Promise.allSettled([1, 2].map(double));
  await endAllCalls();
  expect(await outputs).toEqual([
    { status: "rejected", reason: absent },
    { status: "rejected", reason: absent },
  ]);
  expect(batches()).toEqual([[1, 2]]);
});

test("an input that waits too long is refused while the call before it still hangs, and is not handled later", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { double, batches, endAllCalls } = aCall({ timeoutMs: 200 });
  const first = double(1);
  await callsToStart();
  const outcomes = Promise.allSettled([first, double(2)]);
  vi.advanceTimersByTime(200);
  const late = { reason: { code: "unavailable" } };
  expect(await outcomes).toMatchObject([late, late]);
  await endAllCalls();
  expect(batches()).toEqual([[1]]);
});

test("an input that has waited for most of its time is not started any more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { double, batches, endAllCalls } = aCall({ timeoutMs: 2000 });
  const first = double(1);
  await callsToStart();
  const second = double(2);
  second.catch(() => undefined);
  vi.advanceTimersByTime(1700);
  await endAllCalls();
  expect(await first).toBe(2);
  await expect(second).rejects.toMatchObject({ code: "unavailable" });
  expect(batches()).toEqual([[1]]);
});

test("an input is refused immediately if the queue is full", async () => {
  const { double, endAllCalls } = aCall({ maxQueueLength: 2 });
  const outputs = Promise.allSettled([1, 2, 3].map(double));
  await endAllCalls();
  expect((await outputs).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
});

/** The tens digit of an input names its owner. */
const ownerOf = (input: number) => `owner ${Math.floor(input / 10)}`;

test("a call takes one input of each owner in turns, so a flood of one owner does not delay the others", async () => {
  const { double, batches, endAllCalls } = aCall({ ownerOf, maxBatchSize: 4 });
  const first = double(0);
  await callsToStart();
  const outputs = Promise.all([11, 12, 13, 14, 15, 21, 31, 32].map(double));
  await endAllCalls();
  expect(await first).toBe(0);
  expect(await outputs).toEqual([22, 24, 26, 28, 30, 42, 62, 64]);
  expect(batches()).toEqual([[0], [11, 21, 31, 12], [32, 13, 14, 15]]);
});

test("a call is free for an owner that has none, so it does not wait for the calls of an owner that floods", async () => {
  const { double, calls, batches, endAllCalls } = aCall({
    ownerOf,
    maxConcurrentCalls: 3,
    maxConcurrentCallsPerOwner: 2,
  });
  const outputs: Promise<number>[] = [];
  for (const input of [11, 12, 13, 21, 14, 31]) {
    outputs.push(double(input));
    await callsToStart();
  }
  expect(batches()).toEqual([[11], [12], [21]]);
  calls[2]!.end();
  await callsToStart();
  expect(batches().slice(3)).toEqual([[31]]);
  calls[0]!.end();
  await callsToStart();
  expect(batches().slice(4)).toEqual([[13, 14]]);
  await endAllCalls();
  expect(await Promise.all(outputs)).toEqual([22, 24, 26, 42, 28, 62]);
});

test("calls have fewer inputs while several owners send some", async () => {
  const { double, batches, endAllCalls } = aCall({ ownerOf, maxBatchSize: 4, maxSharedBatchSize: 2 });
  const alone = Promise.all([11, 12, 13, 14, 15].map(double));
  await endAllCalls();
  await alone;
  const shared = Promise.all([16, 17, 18, 21].map(double));
  await endAllCalls();
  await shared;
  expect(batches()).toEqual([[11, 12, 13, 14], [15], [16, 21], [17, 18]]);
});

test("while several owners send inputs, the calls of an owner that floods follow each other", async () => {
  const { double, calls, batches, endAllCalls } = aCall({
    ownerOf,
    maxConcurrentCalls: 3,
    maxSharedBatchSize: 2,
    maxSharedInputsPerOwner: 2,
  });
  const outputs: Promise<number>[] = [];
  for (const input of [21, 11, 12, 13, 14, 15]) outputs.push(double(input));
  await callsToStart();
  // One input of the flood shares a call with the other owner, so two more may run.
  expect(batches()).toEqual([
    [21, 11],
    [12, 13],
  ]);
  calls[0]!.end();
  await callsToStart();
  expect(batches().slice(2)).toEqual([]);
  calls[1]!.end();
  await callsToStart();
  expect(batches().slice(2)).toEqual([[14, 15]]);
  await endAllCalls();
  expect(await Promise.all(outputs)).toEqual([42, 22, 24, 26, 28, 30]);
});

test("an owner beyond its bound is refused with `too_many_requests`, and the others are not", async () => {
  const { double, endAllCalls } = aCall({ ownerOf, maxQueueLengthPerOwner: 2 });
  const flood = Promise.allSettled([11, 12, 13].map(double));
  const quiet = double(21);
  await endAllCalls();
  expect(await quiet).toBe(42);
  expect(await flood).toMatchObject([
    { value: 22 },
    { value: 24 },
    { reason: { code: "too_many_requests", retryAfterSeconds: 1 } },
  ]);
});

test("an owner whose input waits for a lock gets calls of its own, and the others are handled", async () => {
  const blocked = new StowageError("unavailable", { retryAfterSeconds: 1 });
  let isLocked = true;
  const { double, batches, endAllCalls } = aCall(
    { ownerOf, isBlocked: (error) => error === blocked },
    (inputs) => (isLocked && inputs.some((input) => ownerOf(input) === "owner 1") ? blocked : null),
  );
  const first = Promise.allSettled([11, 21, 31].map(double));
  await endAllCalls();
  expect((await first).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(batches()).toEqual([[11, 21, 31], [11], [21], [31]]);

  const second = Promise.allSettled([12, 22].map(double));
  await endAllCalls();
  expect((await second).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(batches().slice(4)).toEqual([[12], [22]]);

  isLocked = false;
  const third = double(13);
  await endAllCalls();
  expect(await third).toBe(26);
  const fourth = Promise.all([14, 24].map(double));
  await endAllCalls();
  expect(await fourth).toEqual([28, 48]);
  expect(batches().slice(6)).toEqual([[13], [14, 24]]);
});

test("an owner's own call waits for its other inputs in shared calls, which may hold its locks", async () => {
  const blocked = new StowageError("unavailable", { retryAfterSeconds: 1 });
  const { double, calls, batches, endAllCalls } = aCall(
    { ownerOf, maxConcurrentCalls: 2, isBlocked: (error) => error === blocked },
    (inputs) => (inputs.some((input) => ownerOf(input) === "owner 1") ? blocked : null),
  );
  const shared = Promise.allSettled([11, 21].map(double));
  await callsToStart();
  const later = double(22);
  await callsToStart();
  for (const ended of [0, 2]) {
    calls[ended]!.end();
    await callsToStart();
  }
  expect(batches()).toEqual([[11, 21], [22], [11]]);
  calls[1]!.end();
  await endAllCalls();
  expect(batches().slice(3)).toEqual([[21]]);
  expect((await shared).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(await later).toBe(44);
});

test("while calls are separate, each has the inputs of one owner in turn, and more of them run", async () => {
  const { double, batches, endAllCalls } = aCall({
    ownerOf: (input) => (input % 2 === 0 ? "even" : "odd"),
    isSeparate: () => true,
    maxConcurrentSeparateCalls: 2,
    maxBatchSize: 2,
  });
  const outputs = Promise.all([1, 2, 3, 4, 5, 6, 7].map(double));
  await callsToStart();
  expect(batches()).toEqual([
    [1, 3],
    [2, 4],
  ]);
  await endAllCalls();
  expect(await outputs).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(batches().slice(2)).toEqual([[5, 7], [6]]);
});

test("while calls are separate, the failure of a call concerns one owner", async () => {
  const isBad = (inputs: number[]) => (inputs.includes(1) ? new StowageError("unavailable") : null);
  const { double, endAllCalls } = aCall({ ownerOf: String, isSeparate: () => true }, isBad);
  const outputs = Promise.allSettled([double(1), double(2)]);
  await endAllCalls();
  expect(await outputs).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: 4 }]);
});
