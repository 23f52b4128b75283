import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { BatchErrors, Batching } from "./batches.js";
import {
  createFairQueue,
  DeadlineExceededError,
  type FairQueueOptions,
  OwnerBoundError,
  QueueFullError,
} from "./fair-queue.js";
import { MANY_CALLS, MAX_BATCH, MAX_SHARED_BATCH_OF_OWNER, SLOW_STATEMENT_MS } from "./limits.js";

afterEach(() => void vi.useRealTimers());

const TIMEOUT_MS = 10_000;
const blocked = new Error("waited for a lock");
const temporary = new Error("the database does not answer");
const errors: BatchErrors = {
  isBlocked: (error) => error === blocked,
  isTemporary: (error) => error === temporary,
};

/** Each batch starts in a turn of the event loop after the one before it. A time would depend on the machine's load. */
async function batchesToStart(): Promise<void> {
  const TURNS = 10;
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}

const useFakeTimers = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });

/** Needs fake timers. Batches that may start beside those that take long have started then. */
async function untilBatchesAreSlow(): Promise<void> {
  vi.advanceTimersByTime(SLOW_STATEMENT_MS);
  await batchesToStart();
}

/** The tens digit of an input names its owner. */
const ownerOf = (input: number) => `owner ${Math.floor(input / 10)}`;
const range = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);

/** Calls that double numbers once the test lets their batch end, and fail in batches for which `isBad` returns an error. */
function aBatch({
  isBad = () => null,
  batching = {},
  ...options
}: Partial<FairQueueOptions> & {
  isBad?: (inputs: number[]) => Error | null;
  batching?: Partial<Batching<number, number>>;
} = {}) {
  const queue = createFairQueue({
    maxRunning: 10,
    maxRunningPerOwner: 9,
    maxWaiting: 1000,
    maxWaitingPerOwner: 1000,
    errors,
    ...options,
  });
  const batches: { inputs: number[]; end: () => void }[] = [];
  const add = queue.batch<number, number>({
    run: (inputs) =>
      new Promise((resolve, reject) => {
        const bad = isBad(inputs);
        batches.push({ inputs, end: () => (bad ? reject(bad) : resolve(inputs.map((input) => input * 2))) });
      }),
    ...batching,
  });
  let ended = 0;
  /** Lets the next batch end. */
  const endNext = async () => {
    batches[ended++]!.end();
    await batchesToStart();
  };
  /** Lets all batches end until no new one starts. */
  const endAll = async () => {
    await batchesToStart();
    while (ended < batches.length) await endNext();
  };
  const double = (input: number, owner = ownerOf(input)) => add(owner, input, TIMEOUT_MS);
  return { queue, double, batches, endNext, endAll, inputs: () => batches.map(({ inputs }) => inputs) };
}

const outcomesOf = async (promises: Promise<unknown>[]) =>
  (await Promise.allSettled(promises)).map((end) => (end.status === "rejected" ? end.reason : end.value));

test("calls that arrive together share a batch, and each gets its own output", async () => {
  const { double, inputs, endAll } = aBatch();
  const outputs = Promise.all([1, 2, 11].map((input) => double(input)));
  await endAll();
  expect(await outputs).toEqual([2, 4, 22]);
  expect(inputs()).toEqual([[1, 11, 2]]);
});

test("calls that arrive while a batch runs share the next one, in their order", async () => {
  const { double, inputs, endNext, endAll } = aBatch();
  const outputs: Promise<number>[] = [];
  for (const input of range(1, 5)) {
    outputs.push(double(input));
    await batchesToStart();
  }
  expect(inputs()).toEqual([[1]]);
  await endNext();
  expect(inputs().slice(1)).toEqual([[2, 3, 4, 5]]);
  await endAll();
  expect(await Promise.all(outputs)).toEqual([2, 4, 6, 8, 10]);
});

test("no batch has more calls than the limit, and every call is carried out", async () => {
  const { double, inputs, endAll } = aBatch();
  const outputs = Promise.all(range(1, MAX_BATCH + 5).map((input) => double(input, "one")));
  await endAll();
  expect(await outputs).toEqual(range(1, MAX_BATCH + 5).map((input) => input * 2));
  expect(inputs().map(({ length }) => length)).toEqual([MAX_BATCH, 5]);
});

test("if one call makes its batch fail, only that call fails", async () => {
  const bad = new Error("not 3");
  const { double, endAll } = aBatch({ isBad: (inputs) => (inputs.includes(3) ? bad : null) });
  const outcomes = outcomesOf([1, 2, 3, 4].map((input) => double(input)));
  await endAll();
  expect(await outcomes).toEqual([2, 4, bad, 8]);
});

test("a batch that fails with a temporary error is not repeated, because it may have taken effect", async () => {
  const { double, inputs, endAll } = aBatch({ isBad: () => temporary });
  const outcomes = outcomesOf([double(1), double(2)]);
  await endAll();
  expect(await outcomes).toEqual([temporary, temporary]);
  expect(inputs()).toEqual([[1, 2]]);
});

test("a call that has waited for half of its time is refused and never carried out, however long the batches hang", async () => {
  useFakeTimers();
  const { queue, double, inputs, endAll } = aBatch();
  const hanging = [double(1)];
  await batchesToStart();
  hanging.push(double(2));
  await untilBatchesAreSlow();
  const late = outcomesOf([double(3)]);
  vi.advanceTimersByTime(TIMEOUT_MS / 2);
  expect(await late).toEqual([expect.any(DeadlineExceededError)]);
  vi.advanceTimersByTime(TIMEOUT_MS / 2);
  expect(await outcomesOf(hanging)).toEqual([
    expect.any(DeadlineExceededError),
    expect.any(DeadlineExceededError),
  ]);
  await endAll();
  expect(inputs()).toEqual([[1], [2]]);
  expect(queue.ownerCount()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("a call that waits too long while others of its owner are carried out is refused for the owner's bound", async () => {
  useFakeTimers();
  const { double, endNext } = aBatch({ maxRunning: 1 });
  const all = outcomesOf([double(1)]);
  await batchesToStart();
  const late = outcomesOf(range(100, MAX_BATCH + 1).map((input) => double(input, "owner 0")));
  vi.advanceTimersByTime(1000);
  await endNext();
  vi.advanceTimersByTime(TIMEOUT_MS / 2);
  expect((await all)[0]).toBe(2);
  await batchesToStart();
  vi.advanceTimersByTime(TIMEOUT_MS);
  expect((await late).at(-1)).toBeInstanceOf(OwnerBoundError);
});

test("an owner beyond its bound is refused immediately, the others are not, and a full queue refuses every owner", async () => {
  const { double, endAll } = aBatch({ maxWaiting: 4, maxWaitingPerOwner: 3 });
  const outcomes = outcomesOf([11, 12, 13, 14, 21, 31].map((input) => double(input)));
  await endAll();
  expect(await outcomes).toEqual([22, 24, 26, expect.any(OwnerBoundError), 42, expect.any(QueueFullError)]);
});

test("a batch takes one call of each owner in turns", async () => {
  const { double, inputs, endAll } = aBatch();
  const outputs = Promise.all([11, 12, 13, 21, 31, 32].map((input) => double(input)));
  await endAll();
  await outputs;
  expect(inputs()).toEqual([[11, 21, 31, 12, 32, 13]]);
});

test("while several owners call, a batch has a limited number of calls of one owner, and the batches of a flood follow each other", async () => {
  const { double, inputs, endNext, endAll } = aBatch();
  const quiet = [double(21)];
  await batchesToStart();
  const flood = range(100, 2 * MAX_SHARED_BATCH_OF_OWNER).map((input) => double(input, "flood"));
  await batchesToStart();
  expect(inputs()).toEqual([[21]]);
  await endNext();
  expect(inputs()).toHaveLength(2);
  await endNext();
  expect(inputs().map(({ length }) => length)).toEqual([
    1,
    MAX_SHARED_BATCH_OF_OWNER,
    MAX_SHARED_BATCH_OF_OWNER,
  ]);
  await endAll();
  await Promise.all([...quiet, ...flood]);
});

test("a call of an owner that has none running starts beside the batches of a flood", async () => {
  const { double, inputs, endAll } = aBatch();
  const flood = range(100, 2 * MAX_BATCH).map((input) => double(input, "flood"));
  await batchesToStart();
  expect(inputs()).toHaveLength(1);
  const quiet = [double(1)];
  await batchesToStart();
  expect(inputs()[1]).toEqual([1]);
  quiet.push(double(11));
  await batchesToStart();
  expect(inputs()).toHaveLength(2);
  await endAll();
  await Promise.all([...flood, ...quiet]);
});

test("owners without many calls share a batch, however many they are", async () => {
  const { double, inputs, endNext, endAll } = aBatch();
  const all: Promise<number>[] = [];
  for (const owner of range(1, 40)) {
    all.push(double(10 * owner));
    if (owner <= 3) await batchesToStart();
  }
  await batchesToStart();
  expect(inputs()).toEqual([[10]]);
  await endNext();
  expect(inputs()[1]).toHaveLength(39);
  await endAll();
  await Promise.all(all);
});

test("a place stays free for another owner, whether its calls share batches or not", async () => {
  const { queue, double, endAll } = aBatch({ maxRunning: 3, maxRunningPerOwner: 2 });
  const never = Array.from({ length: 5 }, () => queue.run("owner 1", () => nextTurn(), TIMEOUT_MS));
  const flood = range(10, MANY_CALLS).map((input) => double(input, "owner 1"));
  const started = vi.fn();
  const quiet = queue.run("quiet", async () => started(), TIMEOUT_MS);
  await endAll();
  await Promise.all([...never, ...flood, quiet]);
  expect(started).toHaveBeenCalledOnce();
});

test("tasks and batches take turns at the same places", async () => {
  const { queue, double, batches, endAll } = aBatch({ maxRunning: 1, maxRunningPerOwner: 1 });
  const order: string[] = [];
  const tasks = Array.from({ length: 10 }, (_, n) =>
    queue.run("task", async () => void order.push(`task ${n}`), TIMEOUT_MS),
  );
  const call = double(1).then(() => order.push("batch"));
  await expect.poll(() => batches.length).toBe(1);
  await endAll();
  await Promise.all([...tasks, call]);
  expect(order.indexOf("batch")).toBeLessThan(9);
});

test("an owner whose call waits for a lock gets batches of its own, and the others are carried out", async () => {
  let isLocked = true;
  const { double, inputs, endAll, queue } = aBatch({
    isBad: (inputs) => (isLocked && inputs.some((input) => ownerOf(input) === "owner 1") ? blocked : null),
  });
  const first = outcomesOf([11, 21, 31].map((input) => double(input)));
  await endAll();
  expect(await first).toEqual([blocked, 42, 62]);
  expect(inputs()).toEqual([[11, 21, 31], [11], [21], [31]]);

  const second = outcomesOf([12, 22].map((input) => double(input)));
  await endAll();
  expect(await second).toEqual([blocked, 44]);
  expect(inputs().slice(4)).toEqual([[12], [22]]);
  expect(queue.ownerCount()).toBe(1);

  isLocked = false;
  const third = double(13);
  await endAll();
  expect(await third).toBe(26);
  const fourth = Promise.all([14, 24].map((input) => double(input)));
  await endAll();
  expect(await fourth).toEqual([28, 48]);
  expect(inputs().slice(6)).toEqual([[13], [14, 24]]);
  expect(queue.ownerCount()).toBe(0);
});

test("a batch that takes long keeps no other owner waiting, and its own owners get one more", async () => {
  useFakeTimers();
  const { double, inputs, endAll } = aBatch();
  const all = [double(11), double(21)];
  await batchesToStart();
  all.push(...[12, 13, 31].map((input) => double(input)));
  await batchesToStart();
  expect(inputs()).toEqual([[11, 21]]);
  await untilBatchesAreSlow();
  expect(inputs().slice(1)).toEqual([[31, 12, 13]]);
  all.push(...[14, 32, 41].map((input) => double(input)));
  await untilBatchesAreSlow();
  expect(inputs().slice(2)).toEqual([[41, 32]]);
  await endAll();
  expect(await Promise.all(all)).toEqual([11, 21, 12, 13, 31, 14, 32, 41].map((input) => input * 2));
  expect(vi.getTimerCount()).toBe(0);
});

test("an owner's own batch waits for its other calls in shared batches, which may hold its locks", async () => {
  useFakeTimers();
  const { double, batches, inputs, endAll } = aBatch({
    isBad: (inputs) => (inputs.some((input) => ownerOf(input) === "owner 1") ? blocked : null),
  });
  const shared = outcomesOf([double(11), double(21)]);
  await batchesToStart();
  const later = double(22);
  await batchesToStart();
  await untilBatchesAreSlow();
  for (const ended of [0, 2]) {
    batches[ended]!.end();
    await batchesToStart();
  }
  expect(inputs()).toEqual([[11, 21], [22], [11]]);
  batches[1]!.end();
  await batchesToStart();
  expect(inputs().slice(3)).toEqual([[21]]);
  await endAll();
  expect(await shared).toEqual([blocked, 42]);
  expect(await later).toBe(44);
});

test("while batches are separate, each has the calls of one owner, and only the places limit how many run", async () => {
  const { double, inputs, endAll } = aBatch({ maxRunning: 4, batching: { isSeparate: () => true } });
  const outputs = outcomesOf([11, 21, 12, 31, 41, 51].map((input) => double(input)));
  await batchesToStart();
  expect(inputs()).toEqual([[11, 12], [21], [31], [41]]);
  await endAll();
  expect(await outputs).toEqual([22, 42, 24, 62, 82, 102]);
  expect(inputs().slice(4)).toEqual([[51]]);
});

test("while batches are separate, the failure of a batch concerns one owner", async () => {
  const { double, endAll } = aBatch({
    batching: { isSeparate: () => true },
    isBad: (inputs) => (inputs.includes(11) ? temporary : null),
  });
  const outcomes = outcomesOf([double(11), double(21)]);
  await endAll();
  expect(await outcomes).toEqual([temporary, 42]);
});

test("every call is carried out or refused, for random owners, failures and locks, and nothing is left behind", async () => {
  const call = fc.record({
    owner: fc.integer({ min: 1, max: 5 }),
    fate: fc.constantFrom("good", "good", "good", "bad", "locked", "temporary"),
    waits: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
      const failures = { bad: new Error("bad"), locked: blocked, temporary, good: null };
      let isOver = false;
      const isBad = (inputs: number[]) => {
        const fates = inputs.map((input) => calls[input]?.fate ?? "good");
        const fate = (["temporary", "locked", "bad"] as const).find((each) => fates.includes(each));
        return isOver || fate === undefined ? null : failures[fate];
      };
      const { queue, double, inputs, endAll, endNext } = aBatch({
        maxRunning: 3,
        maxRunningPerOwner: 2,
        isBad,
      });
      const all: Promise<unknown>[] = [];
      for (const [input, { owner, waits }] of calls.entries()) {
        all.push(double(input, `owner ${owner}`).catch((error: unknown) => error));
        if (!waits) continue;
        await batchesToStart();
        if (inputs().length > 0 && input % 2 === 0) await endNext().catch(() => undefined);
      }
      await endAll();
      const outcomes = await Promise.all(all);
      for (const [input, outcome] of outcomes.entries()) {
        const { fate, owner } = calls[input]!;
        // A call may share the statement of a temporary failure, and that of another call of its owner that waits for a lock.
        const isLocked = calls.some((other) => other.owner === owner && other.fate === "locked");
        if (outcome === temporary || (isLocked && outcome === blocked)) continue;
        expect(outcome).toBe(fate === "good" ? input * 2 : failures[fate]);
      }
      // An owner whose last batch waited for a lock is remembered until one of its batches ends.
      isOver = true;
      const last = Promise.all(range(1, 5).map((owner) => double(1000 + owner, `owner ${owner}`)));
      await endAll();
      await last;
      expect(queue.ownerCount()).toBe(0);
      expect(queue.load()).toEqual({ running: 0, waiting: 0 });
    }),
    { numRuns: 40, seed: 20261128 },
  );
});
