import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { batchCalls, type BatchCallsOptions, BatchRefusedError } from "./batch-calls.js";

afterEach(() => void vi.useRealTimers());

/** Each call starts in a turn of the event loop after the one before it. A time would depend on the machine's load. */
async function callsToStart(): Promise<void> {
  const TURNS = 10;
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}

/** A batched function whose calls end when the test says so. */
function aCall(options: Partial<BatchCallsOptions> = {}) {
  const calls: { inputs: number[]; end: (error?: Error) => void }[] = [];
  const add = batchCalls(
    (inputs: number[]) =>
      new Promise<void>((resolve, reject) => {
        calls.push({ inputs, end: (error) => (error ? reject(error) : resolve()) });
      }),
    { maxConcurrentCalls: 1, maxBatchSize: 100, maxWaiting: 100, maxWaitMs: 10_000, ...options },
  );
  return { add, calls, batches: () => calls.map(({ inputs }) => inputs) };
}

test("inputs that arrive together share a call, and those that arrive while it runs share the next one", async () => {
  const { add, calls, batches } = aCall();
  const first = Promise.all([add(1), add(2)]);
  await callsToStart();
  const second = Promise.all([add(3), add(4)]);
  await callsToStart();
  expect(batches()).toEqual([[1, 2]]);
  calls[0]!.end();
  await first;
  await callsToStart();
  expect(batches()).toEqual([
    [1, 2],
    [3, 4],
  ]);
  calls[1]!.end();
  await second;
});

test("no call has more inputs than the limit, and no more calls run than allowed", async () => {
  const { add, calls, batches } = aCall({ maxBatchSize: 2, maxConcurrentCalls: 2 });
  const all = Promise.all([1, 2, 3, 4, 5].map(add));
  await callsToStart();
  expect(batches()).toEqual([
    [1, 2],
    [3, 4],
  ]);
  calls[0]!.end();
  await callsToStart();
  expect(batches()[2]).toEqual([5]);
  calls[1]!.end();
  calls[2]!.end();
  await all;
});

test("all inputs of a call that fails fail, and the next call starts", async () => {
  const { add, calls, batches } = aCall({ maxBatchSize: 2 });
  const outcomes = Promise.allSettled([add(1), add(2)]);
  const next = add(3);
  await callsToStart();
  const failure = new Error("no");
  calls[0]!.end(failure);
  expect(await outcomes).toMatchObject([{ reason: failure }, { reason: failure }]);
  await callsToStart();
  expect(batches()).toEqual([[1, 2], [3]]);
  calls[1]!.end();
  await next;
});

test("an input beyond the bound is refused immediately, and one that waits too long is never started", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { add, calls, batches } = aCall({ maxWaiting: 1, maxWaitMs: 200 });
  const first = add(1);
  await callsToStart();
  const late = add(2);
  late.catch(() => undefined);
  await expect(add(3)).rejects.toBeInstanceOf(BatchRefusedError);
  vi.advanceTimersByTime(200);
  await expect(late).rejects.toBeInstanceOf(BatchRefusedError);
  calls[0]!.end();
  await first;
  await callsToStart();
  expect(batches()).toEqual([[1]]);
  expect(vi.getTimerCount()).toBe(0);
});
