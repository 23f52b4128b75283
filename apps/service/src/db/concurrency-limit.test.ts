import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createConcurrencyLimit, QueueFullError, DeadlineExceededError } from "./concurrency-limit.js";

const TIMEOUT_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("runs as many tasks as the limit allows, and the others in the order in which they arrived", async () => {
  const limit = createConcurrencyLimit(2, 10);
  const log: string[] = [];
  const releases: (() => void)[] = [];
  const work = (name: string) => () => {
    log.push(name);
    return new Promise<void>((resolve) => releases.push(resolve));
  };
  const all = ["a", "b", "c", "d"].map((name) => limit.run(work(name), TIMEOUT_MS));
  await Promise.resolve();
  expect(log).toEqual(["a", "b"]);
  releases[1]!();
  await all[1];
  expect(log).toEqual(["a", "b", "c"]);
  releases[0]!();
  releases[2]!();
  await Promise.all([all[0], all[2]]);
  expect(log).toEqual(["a", "b", "c", "d"]);
  releases[3]!();
  await all[3];
});

test("never runs a task that has waited too long, and runs the next one instead", async () => {
  const limit = createConcurrencyLimit(1, 10);
  let release = () => {};
  const first = limit.run(() => new Promise<void>((resolve) => (release = resolve)), 5 * TIMEOUT_MS);
  let ran = false;
  const second = limit.run(async () => void (ran = true), TIMEOUT_MS);
  const third = limit.run(async () => "third", 5 * TIMEOUT_MS);
  await Promise.all([
    expect(second).rejects.toThrow(DeadlineExceededError),
    vi.advanceTimersByTimeAsync(TIMEOUT_MS),
  ]);
  release();
  await first;
  expect(await third).toBe("third");
  expect(ran).toBe(false);
});

test("rejects a task that takes too long, and frees its place once it has ended", async () => {
  const limit = createConcurrencyLimit(1, 10);
  let release = () => {};
  const first = limit.run(() => new Promise<void>((resolve) => (release = resolve)), TIMEOUT_MS);
  await Promise.all([
    expect(first).rejects.toThrow(DeadlineExceededError),
    vi.advanceTimersByTimeAsync(TIMEOUT_MS),
  ]);
  let ran = false;
  const second = limit.run(async () => void (ran = true), TIMEOUT_MS);
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
  expect(ran).toBe(false);
  release();
  await second;
  expect(ran).toBe(true);
});

test("leaves no timer running", async () => {
  const limit = createConcurrencyLimit(1, 0);
  const failed = limit.run(() => Promise.reject(new Error("no")), TIMEOUT_MS);
  await expect(limit.run(async () => undefined, TIMEOUT_MS)).rejects.toThrow(QueueFullError);
  await expect(failed).rejects.toThrow("no");
  await limit.run(async () => undefined, TIMEOUT_MS);
  expect(vi.getTimerCount()).toBe(0);
});

test("refuses a task if the queue is full, and frees the place of a task that failed", async () => {
  const limit = createConcurrencyLimit(1, 1);
  let fail = (_error: Error) => {};
  const first = limit.run(() => new Promise<void>((_, reject) => (fail = reject)), TIMEOUT_MS);
  const second = limit.run(async () => "second", TIMEOUT_MS);
  await expect(limit.run(async () => "third", TIMEOUT_MS)).rejects.toThrow(QueueFullError);
  fail(new Error("no"));
  await expect(first).rejects.toThrow("no");
  expect(await second).toBe("second");
});
