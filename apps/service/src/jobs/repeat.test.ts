import { expect, test } from "vitest";
import { repeat } from "./repeat.js";

test("doubles the pause after each failure", async () => {
  const INTERVAL_MS = 20;
  const startedAt: number[] = [];
  const job = repeat(
    async () => {
      startedAt.push(performance.now());
      throw new Error("the database is down");
    },
    INTERVAL_MS,
    () => undefined,
  );
  await expect.poll(() => startedAt.length, { interval: 5 }).toBeGreaterThanOrEqual(4);
  await job.stop();
  const pausesMs = startedAt.slice(1, 4).map((at, i) => at - startedAt[i]!);
  // A timer may end a millisecond early.
  expect(pausesMs[0]).toBeGreaterThanOrEqual(2 * INTERVAL_MS - 1);
  expect(pausesMs[1]).toBeGreaterThanOrEqual(4 * INTERVAL_MS - 1);
  expect(pausesMs[2]).toBeGreaterThanOrEqual(8 * INTERVAL_MS - 1);
});

test("stops in time although a run waits, and then reports no error of it", async () => {
  const errors: unknown[] = [];
  let fail: (error: Error) => void = () => undefined;
  const waiting = () => new Promise<boolean>((_resolve, reject) => (fail = reject));
  const job = repeat(waiting, 1000, (error) => errors.push(error));
  const startedAt = performance.now();
  await job.stop();
  // The run has no end. The stop takes three seconds, and more on a busy machine.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  fail(new Error("the connection is closed"));
  await new Promise(setImmediate);
  expect(errors).toEqual([]);
});
