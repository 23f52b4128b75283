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
  await expect.poll(() => startedAt.length, { timeout: 10_000, interval: 5 }).toBeGreaterThanOrEqual(4);
  await job.stop();
  const pausesMs = startedAt.slice(1, 4).map((at, i) => at - startedAt[i]!);
  // A timer may end a millisecond early.
  expect(pausesMs[0]).toBeGreaterThanOrEqual(2 * INTERVAL_MS - 1);
  expect(pausesMs[1]).toBeGreaterThanOrEqual(4 * INTERVAL_MS - 1);
  expect(pausesMs[2]).toBeGreaterThanOrEqual(8 * INTERVAL_MS - 1);
});
