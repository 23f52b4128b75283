import { expect, test } from "vitest";
import type { SharedCount, SharedCounters } from "#lib/shared-counters.js";
import { createFailingKeys } from "./failing-keys.js";

const START = new Date("2026-11-23T12:00:10Z");
const randomBytes = (size: number) => new Uint8Array(size).fill(7);

function failingKeys(maxPerMinute: number, sharedCounters: SharedCounters | null = null) {
  let now = START;
  return {
    ...createFailingKeys({ clock: () => now, randomBytes, sharedCounters }, maxPerMinute),
    setTime: (time: string) => void (now = new Date(`2026-11-23T${time}Z`)),
  };
}

test("a client that has failed too often waits until the minute ends", async () => {
  const limit = failingKeys(3);
  for (let n = 0; n < 3; n++) {
    expect(limit.secondsToWait("192.0.2.1")).toBe(0);
    await limit.record("192.0.2.1");
  }
  expect(limit.secondsToWait("192.0.2.1")).toBe(50);
  expect(limit.secondsToWait("192.0.2.2")).toBe(0);
  limit.setTime("12:00:59.9");
  expect(limit.secondsToWait("192.0.2.1")).toBe(1);
  limit.setTime("12:01:00");
  expect(limit.secondsToWait("192.0.2.1")).toBe(0);
});

test("failures from 100,000 networks lift no client's limit and limit no other client", async () => {
  const limit = failingKeys(100);
  for (let n = 0; n < 100; n++) await limit.record("192.0.2.1");
  for (let n = 0; n < 100_000; n++) await limit.record(`2001:db8:${(n >> 16).toString(16)}:${n & 65_535}::`);
  expect(limit.secondsToWait("192.0.2.1")).toBeGreaterThan(0);
  const others = Array.from({ length: 1000 }, (_, n) => limit.secondsToWait(`198.51.100.${n}`));
  expect(others.every((seconds) => seconds === 0)).toBe(true);
});

/** Counters that several replicas use in this process. */
function sharedCounters() {
  const counts = new Map<string, number>();
  const counters: SharedCounters = {
    async add(name, _windowMs, amount = 1) {
      const count = (counts.get(name) ?? 0) + amount;
      counts.set(name, count);
      return { count, remainingMs: 1000 };
    },
    close: () => undefined,
  };
  return { counters, counts };
}

test("replicas with shared counters limit a client together", async () => {
  const { counters, counts } = sharedCounters();
  const replicas = [failingKeys(300, counters), failingKeys(300, counters)];
  let failures = 0;
  while (replicas[failures % 2]!.secondsToWait("192.0.2.1") === 0) {
    await replicas[failures++ % 2]!.record("192.0.2.1");
  }
  expect(failures).toBeGreaterThanOrEqual(300);
  expect(failures).toBeLessThanOrEqual(302);
  expect([...counts.values()]).toEqual([failures]);
});

test("an answer of the shared store that comes in the next minute limits nobody", async () => {
  let answer: (count: SharedCount) => void = () => undefined;
  const add = () => new Promise<SharedCount>((resolve) => (answer = resolve));
  const limit = failingKeys(3, { add, close: () => undefined });
  const recorded = limit.record("192.0.2.1");
  limit.setTime("12:01:00");
  expect(limit.secondsToWait("192.0.2.1")).toBe(0);
  answer({ count: 3, remainingMs: 1 });
  await recorded;
  expect(limit.secondsToWait("192.0.2.1")).toBe(0);
});

test("a client that fails a few times takes no place in the shared store", async () => {
  const { counters, counts } = sharedCounters();
  const limit = failingKeys(300, counters);
  for (let n = 0; n < 1000; n++) await limit.record(`198.51.${n >> 8}.${n & 255}`);
  expect(counts.size).toBe(0);
});

test("a limit of 0 limits nothing", async () => {
  const limit = failingKeys(0);
  for (let n = 0; n < 1000; n++) await limit.record("192.0.2.1");
  expect(limit.secondsToWait("192.0.2.1")).toBe(0);
});
