import { AsyncLocalStorage } from "node:async_hooks";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  createFairQueue,
  DeadlineExceededError,
  type FairQueueOptions,
  OwnerBoundError,
  QueueFullError,
} from "./fair-queue.js";

const TIMEOUT_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A queue whose tasks take a given time of the fake clock, and the order in which they start. */
function aQueue(options: Partial<FairQueueOptions> = {}) {
  const queue = createFairQueue({
    maxRunning: 1,
    maxRunningPerOwner: 1,
    maxWaiting: 1e6,
    maxWaitingPerOwner: 1e6,
    ...options,
  });
  const started: string[] = [];
  const usedMs = new Map<string, number>();
  const add = (owner: string, takesMs: number, timeoutMs = TIMEOUT_MS) =>
    queue.run(
      owner,
      async () => {
        started.push(owner);
        await new Promise((resolve) => setTimeout(resolve, takesMs));
        usedMs.set(owner, (usedMs.get(owner) ?? 0) + takesMs);
        return owner;
      },
      timeoutMs,
    );
  return { queue, started, usedMs, add };
}

const failuresOf = async (promises: Promise<unknown>[]) =>
  (await Promise.allSettled(promises)).map((result) =>
    result.status === "rejected" ? (result.reason as Error).name : "done",
  );

test("a task that had to wait runs in the async context of its caller", async () => {
  const { queue } = aQueue();
  const context = new AsyncLocalStorage<string>();
  const all = Promise.all(
    ["first", "second", "third"].map((caller) =>
      context.run(caller, () => queue.run("a", async () => context.getStore(), TIMEOUT_MS)),
    ),
  );
  await vi.runAllTimersAsync();
  expect(await all).toEqual(["first", "second", "third"]);
});

test("one owner's tasks run in the order in which they arrived, as many at once as an owner may", async () => {
  const { queue } = aQueue({ maxRunning: 3, maxRunningPerOwner: 2 });
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const all = Promise.all(
    [1, 2, 3, 4, 5].map((number) =>
      queue.run(
        "a",
        async () => {
          started.push(number);
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 10));
          running--;
        },
        TIMEOUT_MS,
      ),
    ),
  );
  await vi.runAllTimersAsync();
  await all;
  expect(started).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test("a place stays free for another owner, however many tasks one owner has", async () => {
  const { add, started } = aQueue({ maxRunning: 2, maxRunningPerOwner: 1 });
  const flood = Array.from({ length: 100 }, () => add("flood", 100));
  const quiet = add("quiet", 1);
  expect(started).toEqual(["flood", "quiet"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await quiet).toBe("quiet");
  await vi.runAllTimersAsync();
  await Promise.all(flood);
});

test("owners with equal tasks take turns", async () => {
  const { add, started } = aQueue();
  const all = [..."aaaabbbbcc"].map((owner) => add(owner, 10));
  await vi.runAllTimersAsync();
  await Promise.all(all);
  expect(started.join("")).toBe("abcabcabab");
});

test("an owner who arrives late waits for one turn of each owner, and not for their queues", async () => {
  const { add, started } = aQueue();
  const all = [..."aaaabbbb"].map((owner) => add(owner, 10));
  await vi.advanceTimersByTimeAsync(25);
  all.push(add("c", 10));
  await vi.runAllTimersAsync();
  await Promise.all(all);
  expect(started.indexOf("c")).toBeLessThanOrEqual(4);
});

test("an owner with tasks that take ten times as long gets a tenth of the turns", async () => {
  const { add, started, usedMs } = aQueue();
  const all = Array.from({ length: 400 }, (_, n) => (n % 2 ? add("slow", 100, 1e9) : add("fast", 10, 1e9)));
  await vi.advanceTimersByTimeAsync(2000);
  expect(usedMs.get("slow")! / usedMs.get("fast")!).toBeCloseTo(1, 0);
  expect(started.filter((owner) => owner === "fast").length).toBeGreaterThan(80);
  await vi.runAllTimersAsync();
  await Promise.all(all);
});

test("an owner beyond its bound is refused, and the others are not", async () => {
  const { add } = aQueue({ maxWaitingPerOwner: 2, maxWaiting: 100 });
  const flood = failuresOf(Array.from({ length: 5 }, () => add("flood", 10)));
  const quiet = failuresOf([add("quiet", 10), add("quiet", 10)]);
  await vi.runAllTimersAsync();
  expect(await flood).toEqual(["done", "done", "done", "OwnerBoundError", "OwnerBoundError"]);
  expect(await quiet).toEqual(["done", "done"]);
});

test("a full queue refuses every owner", async () => {
  const { add } = aQueue({ maxWaiting: 2, maxWaitingPerOwner: 2 });
  const all = failuresOf(["a", "b", "c", "d"].map((owner) => add(owner, 10)));
  await vi.runAllTimersAsync();
  expect(await all).toEqual(["done", "done", "done", "QueueFullError"]);
  expect(new QueueFullError("x")).toBeInstanceOf(Error);
});

test("a task that waits too long behind its owner's own tasks is refused for the owner's bound and never runs", async () => {
  const { add, started } = aQueue();
  const all = failuresOf([add("a", 40, 1000), add("a", 40, 1000), add("a", 40, 100)]);
  await vi.advanceTimersByTimeAsync(200);
  expect(await all).toEqual(["done", "done", "OwnerBoundError"]);
  expect(started).toHaveLength(2);
});

test("a task that waits while nothing ends exceeds its deadline, and the next one runs", async () => {
  const { add, started } = aQueue();
  const hanging = add("a", 500, 1000);
  const late = failuresOf([add("b", 1, 100)]);
  const third = add("c", 1, 1000);
  await vi.runAllTimersAsync();
  expect(await late).toEqual(["DeadlineExceededError"]);
  await hanging;
  expect(await third).toBe("c");
  expect(started).toEqual(["a", "c"]);
});

test("a running task that takes too long is rejected, and frees its place once it has ended", async () => {
  const { add, started } = aQueue();
  const slow = failuresOf([add("a", 500, 100)]);
  await vi.advanceTimersByTimeAsync(100);
  expect(await slow).toEqual(["DeadlineExceededError"]);
  const next = add("b", 1, 1000);
  await vi.advanceTimersByTimeAsync(300);
  expect(started).toEqual(["a"]);
  await vi.runAllTimersAsync();
  expect(await next).toBe("b");
});

test("a task that fails frees its place, and leaves no timer running", async () => {
  const { queue, add } = aQueue();
  const failed = queue.run("a", () => Promise.reject(new Error("no")), TIMEOUT_MS);
  const next = add("b", 0);
  await expect(failed).rejects.toThrow("no");
  await vi.advanceTimersByTimeAsync(0);
  expect(await next).toBe("b");
  expect(vi.getTimerCount()).toBe(0);
});

test("owners whose tasks have all ended or given up are forgotten", async () => {
  const { queue, add } = aQueue();
  const hanging = add("hanging", 1000);
  const gone = failuresOf(Array.from({ length: 500 }, (_, n) => add(`owner ${n}`, 1, 100)));
  expect(queue.ownerCount()).toBe(501);
  await vi.advanceTimersByTimeAsync(100);
  expect(new Set(await gone)).toEqual(new Set(["DeadlineExceededError"]));
  expect(queue.ownerCount()).toBe(1);
  await vi.runAllTimersAsync();
  await hanging;
  expect(queue.ownerCount()).toBe(0);
});

test("no backlogged owner gets less than 0.7 of an equal share of the time, but for a few tasks", async () => {
  const durations = fc.array(fc.integer({ min: 2, max: 40 }), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(durations, fc.integer({ min: 1, max: 3 }), async (takesMs, maxRunning) => {
      const maxRunningPerOwner = Math.max(1, maxRunning - 1);
      const { add, usedMs } = aQueue({ maxRunning, maxRunningPerOwner });
      const over = new AbortController();
      const keepBusy = async (owner: number) => {
        while (!over.signal.aborted) await add(String(owner), takesMs[owner]!);
      };
      const busy = takesMs.flatMap((_, owner) => Array.from({ length: 5 }, () => keepBusy(owner)));
      await vi.advanceTimersByTimeAsync(600);
      over.abort();
      const equalShareMs = 600 * Math.min(maxRunning / takesMs.length, maxRunningPerOwner);
      // Turns change after 5 ms of use at the earliest.
      const tolerance = 4 * maxRunning * (Math.max(...takesMs) + 5);
      for (const owner of takesMs.keys())
        expect(usedMs.get(String(owner)) ?? 0).toBeGreaterThan(Math.max(0, 0.7 * equalShareMs - tolerance));
      await vi.advanceTimersByTimeAsync(6000);
      await Promise.all(busy);
      expect(vi.getTimerCount()).toBe(0);
    }),
    { numRuns: 30, seed: 20261123 },
  );
});

test("every task either runs once or is refused, for random owners, durations and deadlines", async () => {
  const task = fc.record({
    owner: fc.constantFrom("a", "b", "c", "d"),
    takesMs: fc.integer({ min: 0, max: 50 }),
    timeoutMs: fc.integer({ min: 1, max: 300 }),
    afterMs: fc.integer({ min: 0, max: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(task, { maxLength: 40 }), async (tasks) => {
      const { add, started } = aQueue({
        maxRunning: 2,
        maxRunningPerOwner: 1,
        maxWaiting: 20,
        maxWaitingPerOwner: 8,
      });
      const all: Promise<string>[] = [];
      for (const { owner, takesMs, timeoutMs, afterMs } of tasks) {
        const added = add(owner, takesMs, timeoutMs);
        added.catch(() => undefined);
        all.push(added);
        await vi.advanceTimersByTimeAsync(afterMs);
      }
      await vi.advanceTimersByTimeAsync(5000);
      const ends = await Promise.allSettled(all);
      const done = ends.filter(({ status }) => status === "fulfilled").length;
      expect(started.length).toBeGreaterThanOrEqual(done);
      for (const end of ends) {
        if (end.status === "fulfilled") continue;
        expect([OwnerBoundError, QueueFullError, DeadlineExceededError]).toContain(end.reason.constructor);
      }
      expect(vi.getTimerCount()).toBe(0);
    }),
    { numRuns: 50, seed: 20261123 },
  );
});
