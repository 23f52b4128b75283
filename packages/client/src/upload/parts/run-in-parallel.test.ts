import { expect, test } from "vitest";
import { runInParallel, type Turn } from "./run-in-parallel.js";

/** Runs the items 1 to 9, two at the same time. The test ends each of them. */
function aRun({ signal = new AbortController().signal } = {}) {
  const started: number[] = [];
  const turns = new Map<number, Turn & { end(): void; fail(error: Error): void; signal: AbortSignal }>();
  const ended = runInParallel(
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
    () => 2,
    signal,
    (item, itemSignal, turn) => {
      started.push(item);
      return new Promise<void>((end, fail) => {
        turns.set(item, { ...turn, end, fail, signal: itemSignal });
        itemSignal.addEventListener("abort", () => fail(itemSignal.reason as Error));
      });
    },
  );
  return {
    ended,
    turn: (item: number) => turns.get(item)!,
    async started() {
      await new Promise((resolve) => setTimeout(resolve));
      return started;
    },
  };
}

test("starts items in their order, as many as the limit allows", async () => {
  const run = aRun();
  expect(await run.started()).toEqual([1, 2]);
  run.turn(2).end();
  expect(await run.started()).toEqual([1, 2, 3]);
});

test("starts another item while one has left its turn", async () => {
  const run = aRun();
  run.turn(1).leave();
  expect(await run.started()).toEqual([1, 2, 3]);
  run.turn(1).comeBack();
  run.turn(2).end();
  expect(await run.started()).toEqual([1, 2, 3]);
  run.turn(3).end();
  expect(await run.started()).toEqual([1, 2, 3, 4]);
});

test("starts only two items more, even if all of them leave their turns", async () => {
  const run = aRun();
  for (const item of [1, 2]) run.turn(item).leave();
  expect(await run.started()).toEqual([1, 2, 3, 4]);
  for (const item of [3, 4]) run.turn(item).leave();
  expect(await run.started()).toEqual([1, 2, 3, 4]);
});

test("ends when all items have ended, also one that never came back", async () => {
  const run = aRun();
  run.turn(1).leave();
  for (let item = 1; item <= 9; item++) {
    await run.started();
    run.turn(item).end();
  }
  await expect(run.ended).resolves.toBeUndefined();
});

test("aborts the other items when one fails, starts none after it, and throws its error", async () => {
  const run = aRun();
  const error = new Error("the first");
  run.turn(1).fail(error);
  await expect(run.ended).rejects.toBe(error);
  expect([await run.started(), run.turn(2).signal.reason]).toEqual([[1, 2], error]);
});

test("throws the reason of the caller's signal, and starts nothing if it has aborted already", async () => {
  const caller = new AbortController();
  const run = aRun({ signal: caller.signal });
  const reason = new Error("cancelled");
  caller.abort(reason);
  await expect(run.ended).rejects.toBe(reason);
  const late = aRun({ signal: caller.signal });
  await expect(late.ended).rejects.toBe(reason);
  expect(await late.started()).toEqual([]);
});
