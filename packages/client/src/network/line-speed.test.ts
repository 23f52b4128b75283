import { expect, test, vi } from "vitest";
import { createLineSpeed } from "./line-speed.js";

test("gives storage two minutes, and the time that a file of this size takes on the slowest line", () => {
  const speed = createLineSpeed();
  expect(speed.answerLimitMs(0, 1)).toBe(120_000);
  expect(speed.answerLimitMs(16 * 1024 * 60, 1)).toBe(180_000);
});

test("tells whether a file takes longer than 30 s, by the last PUT or before it by the kind of network", () => {
  const speed = createLineSpeed();
  expect(speed.isSlow(1e12)).toBe(false);
  vi.stubGlobal("navigator", { connection: { effectiveType: "3g" } });
  expect(speed.isSlow(1)).toBe(true);
  speed.add(1_000_000, 1000);
  expect([30_000_000, 30_000_001].map(speed.isSlow)).toEqual([false, true]);
  vi.unstubAllGlobals();
});

test("gives each of several PUTs the time of all, because they share the slowest line", () => {
  const speed = createLineSpeed();
  expect(speed.answerLimitMs(16 * 1024 * 60, 6)).toBe(120_000 + 6 * 60_000);
});

test("gives less time on a line that was fast, and still sixteen times of what it took", () => {
  const speed = createLineSpeed();
  speed.add(16_000_000, 1000);
  expect(speed.answerLimitMs(32_000_000, 6)).toBe(120_000 + 32_000);
});

test("does not take a small file for a slow line, or a slow line for one that is slower than the slowest", () => {
  const speed = createLineSpeed();
  speed.add(100, 1000);
  expect(speed.answerLimitMs(16 * 1024, 1)).toBe(121_000);
  speed.add(1_000_000, 1_000_000);
  expect(speed.answerLimitMs(16 * 1024, 1)).toBe(121_000);
});
