import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createConcurrencyLimit, QueueFullError, DeadlineExceededError } from "./concurrency-limit.js";

const LIMIT_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("runs as many at once as there are places, the others in the order in which they came", async () => {
  const slots = createConcurrencyLimit(2, 10);
  const log: string[] = [];
  const releases: (() => void)[] = [];
  const work = (name: string) => () => {
    log.push(name);
    return new Promise<void>((resolve) => releases.push(resolve));
  };
  const all = ["a", "b", "c", "d"].map((name) => slots.run(work(name), LIMIT_MS));
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

test("never runs what left the line, and gives its place to the next", async () => {
  const slots = createConcurrencyLimit(1, 10);
  let release = () => {};
  const first = slots.run(() => new Promise<void>((resolve) => (release = resolve)), 5 * LIMIT_MS);
  let ran = false;
  const second = slots.run(async () => void (ran = true), LIMIT_MS);
  const third = slots.run(async () => "third", 5 * LIMIT_MS);
  await Promise.all([
    expect(second).rejects.toThrow(DeadlineExceededError),
    vi.advanceTimersByTimeAsync(LIMIT_MS),
  ]);
  release();
  await first;
  expect(await third).toBe("third");
  expect(ran).toBe(false);
});

test("gives up on work that takes too long, and its place is free once it has ended", async () => {
  const slots = createConcurrencyLimit(1, 10);
  let release = () => {};
  const first = slots.run(() => new Promise<void>((resolve) => (release = resolve)), LIMIT_MS);
  await Promise.all([
    expect(first).rejects.toThrow(DeadlineExceededError),
    vi.advanceTimersByTimeAsync(LIMIT_MS),
  ]);
  let ran = false;
  const second = slots.run(async () => void (ran = true), LIMIT_MS);
  await vi.advanceTimersByTimeAsync(LIMIT_MS / 2);
  expect(ran).toBe(false);
  release();
  await second;
  expect(ran).toBe(true);
});

test("leaves no timer behind", async () => {
  const slots = createConcurrencyLimit(1, 0);
  const failed = slots.run(() => Promise.reject(new Error("no")), LIMIT_MS);
  await expect(slots.run(async () => undefined, LIMIT_MS)).rejects.toThrow(QueueFullError);
  await expect(failed).rejects.toThrow("no");
  await slots.run(async () => undefined, LIMIT_MS);
  expect(vi.getTimerCount()).toBe(0);
});

test("turns away who finds the line full, and frees the place of work that failed", async () => {
  const slots = createConcurrencyLimit(1, 1);
  let fail = (_error: Error) => {};
  const first = slots.run(() => new Promise<void>((_, reject) => (fail = reject)), LIMIT_MS);
  const second = slots.run(async () => "second", LIMIT_MS);
  await expect(slots.run(async () => "third", LIMIT_MS)).rejects.toThrow(QueueFullError);
  fail(new Error("no"));
  await expect(first).rejects.toThrow("no");
  expect(await second).toBe("second");
});
