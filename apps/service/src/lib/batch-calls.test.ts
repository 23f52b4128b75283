import { setTimeout as sleep } from "node:timers/promises";
import { StowageError } from "@stowage/schemas";
import { expect, test } from "vitest";
import { batchCalls, type BatchCallsOptions } from "./batch-calls.js";

/** A call that doubles numbers when it is let go, and fails for a group that `isBad`. */
function aCall(
  options: Partial<BatchCallsOptions> = {},
  isBad: (inputs: number[]) => Error | null = () => null,
) {
  const calls: { inputs: number[]; letGo: () => void }[] = [];
  const double = batchCalls(
    (inputs: number[]) =>
      new Promise<number[]>((resolve, reject) => {
        const bad = isBad(inputs);
        calls.push({ inputs, letGo: () => (bad ? reject(bad) : resolve(inputs.map((input) => input * 2))) });
      }),
    { maxConcurrentCalls: 1, maxBatchSize: 100, maxQueueLength: 100, timeoutMs: 10_000, ...options },
  );
  /** Lets calls end until no more begin. */
  const letAllGo = async () => {
    for (let seen = 0; ;) {
      await sleep(1);
      if (seen === calls.length) return;
      for (; seen < calls.length; seen++) calls[seen]!.letGo();
    }
  };
  return { double, calls, letAllGo, groups: () => calls.map(({ inputs }) => inputs) };
}

test("inputs that come together share a call, and each gets its own output", async () => {
  const { double, groups, letAllGo } = aCall();
  const outputs = Promise.all([double(1), double(2), double(3)]);
  await letAllGo();
  expect(await outputs).toEqual([2, 4, 6]);
  expect(groups()).toEqual([[1, 2, 3]]);
});

test("what comes while all calls are under way goes together with the next, in its order", async () => {
  const { double, calls, groups, letAllGo } = aCall({ maxConcurrentCalls: 2 });
  const first = double(1);
  await sleep(1);
  const second = double(2);
  await sleep(1);
  const rest = [double(3), double(4)];
  await sleep(1);
  expect(groups()).toEqual([[1], [2]]);
  calls[1]!.letGo();
  await second;
  await letAllGo();
  expect(groups()).toEqual([[1], [2], [3, 4]]);
  expect(await Promise.all([first, ...rest])).toEqual([2, 6, 8]);
});

test("no call has more inputs than it may, and none is forgotten", async () => {
  const { double, groups, letAllGo } = aCall({ maxBatchSize: 2 });
  const outputs = Promise.all([1, 2, 3, 4, 5].map(double));
  await letAllGo();
  expect(await outputs).toEqual([2, 4, 6, 8, 10]);
  expect(groups()).toEqual([[1, 2], [3, 4], [5]]);
});

test("an input that makes its call fail fails alone", async () => {
  const bad = new Error("not 3");
  const { double, letAllGo } = aCall({}, (inputs) => (inputs.includes(3) ? bad : null));
  const outputs = Promise.allSettled([1, 2, 3, 4].map(double));
  await letAllGo();
  expect(await outputs).toEqual([
    { status: "fulfilled", value: 2 },
    { status: "fulfilled", value: 4 },
    { status: "rejected", reason: bad },
    { status: "fulfilled", value: 8 },
  ]);
});

test("an absent database is nobody's fault: nothing is asked again, which may have been done", async () => {
  const absent = new StowageError("unavailable", { retryAfterSeconds: 1 });
  const { double, groups, letAllGo } = aCall({}, () => absent);
  const outputs = Promise.allSettled([1, 2].map(double));
  await letAllGo();
  expect(await outputs).toEqual([
    { status: "rejected", reason: absent },
    { status: "rejected", reason: absent },
  ]);
  expect(groups()).toEqual([[1, 2]]);
});

test("who waits too long is turned away while the call before it still hangs, and is not carried out later", async () => {
  const { double, groups, letAllGo } = aCall({ timeoutMs: 200 });
  const first = double(1);
  await sleep(1);
  const second = double(2);
  await expect(first).rejects.toMatchObject({ code: "unavailable" });
  await expect(second).rejects.toMatchObject({ code: "unavailable" });
  await letAllGo();
  expect(groups()).toEqual([[1]]);
});

test("who has waited for nearly all of the time is not begun with any more", async () => {
  const { double, groups, letAllGo } = aCall({ timeoutMs: 2000 });
  const first = double(1);
  await sleep(1);
  const second = double(2);
  second.catch(() => undefined);
  await sleep(1700);
  await letAllGo();
  expect(await first).toBe(2);
  await expect(second).rejects.toMatchObject({ code: "unavailable" });
  expect(groups()).toEqual([[1]]);
});

test("who finds the line full is turned away at once", async () => {
  const { double, letAllGo } = aCall({ maxQueueLength: 2 });
  const outputs = Promise.allSettled([1, 2, 3].map(double));
  await letAllGo();
  expect((await outputs).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
});
