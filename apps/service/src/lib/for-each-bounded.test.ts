import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { forEachBounded } from "./for-each-bounded.js";

test("calls the function once for each item, and never more often at a time than the limit", async () => {
  let atOnce = 0;
  let most = 0;
  const done: number[] = [];
  await forEachBounded([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++atOnce);
    await sleep(1);
    atOnce--;
    done.push(item);
  });
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

test("starts no call after a failure, and throws it when the running calls have ended", async () => {
  const started: number[] = [];
  const ended: number[] = [];
  const work = forEachBounded([1, 2, 3, 4], 2, async (item) => {
    started.push(item);
    await sleep(item === 1 ? 1 : 20);
    if (item === 1) throw new Error("no");
    ended.push(item);
  });
  await expect(work).rejects.toThrow("no");
  expect(started).toEqual([1, 2]);
  expect(ended).toEqual([2]);
});
