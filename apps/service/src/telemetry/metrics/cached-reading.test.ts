import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { cacheReading } from "./cached-reading.js";

test("reads once for all callers, and again when the reading is old", async () => {
  let time = 0;
  let reads = 0;
  const reading = cacheReading(async () => ++reads, { keepMs: 100, now: () => time });
  expect(await Promise.all([reading(), reading()])).toEqual([1, 1]);
  time = 99;
  expect(await reading()).toBe(1);
  time = 100;
  expect(await reading()).toBe(2);
});

test("a failure is null, and is kept like a value", async () => {
  let time = 0;
  let reads = 0;
  const fail = async () => {
    reads++;
    throw new Error("the database is down");
  };
  const reading = cacheReading(fail, { keepMs: 100, now: () => time });
  expect(await reading()).toBeNull();
  time = 99;
  expect(await reading()).toBeNull();
  expect(reads).toBe(1);
});

test("a slow reading is null, starts no second one, and is used when it has ended", async () => {
  let reads = 0;
  let resolve: (value: string) => void = () => undefined;
  const read = new Promise<string>((resolveRead) => {
    resolve = resolveRead;
  });
  const reading = cacheReading(
    () => {
      reads++;
      return read;
    },
    { keepMs: 1000, waitMs: 10 },
  );
  expect(await reading()).toBeNull();
  expect(await reading()).toBeNull();
  expect(reads).toBe(1);
  resolve("late");
  await sleep(0);
  expect(await reading()).toBe("late");
});
