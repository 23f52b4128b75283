import { expect, test } from "vitest";
import { aRuntime } from "../../test/runtime.js";
import { remainingMs } from "../upload-item.js";
import { createSpeedMeter } from "./speed-meter.js";

test("is null for half a second, then the bytes per second", () => {
  const runtime = aRuntime();
  const speed = createSpeedMeter(runtime);
  runtime.advance(499);
  expect(speed(100)).toBeNull();
  runtime.advance(1);
  expect(speed(400)).toBe(1000);
});

test("follows a change of speed slowly", () => {
  const runtime = aRuntime();
  const speed = createSpeedMeter(runtime);
  const afterASecond = (bytes: number) => (runtime.advance(1000), speed(bytes));
  expect(afterASecond(1000)).toBe(1000);
  expect(afterASecond(2000)).toBe(1200);
  for (let second = 0; second < 30; second++) afterASecond(2000);
  expect(afterASecond(2000)).toBeGreaterThan(1980);
});

test("forgets the speed of before a long pause", () => {
  const runtime = aRuntime();
  const speed = createSpeedMeter(runtime);
  runtime.advance(1000);
  speed(1000);
  runtime.advance(60_000);
  expect(speed(10)).toBeNull();
  runtime.advance(1000);
  expect(speed(3000)).toBe(3000);
});

test("does not fall while it is only looked at", () => {
  const runtime = aRuntime();
  const speed = createSpeedMeter(runtime);
  const afterHalfASecond = (bytes: number) => (runtime.advance(500), speed(bytes));
  afterHalfASecond(500_000);
  for (let look = 0; look < 18; look++) expect(afterHalfASecond(0)).toBe(1_000_000);
  expect(afterHalfASecond(500_000)).toBeGreaterThan(800_000);
});

test("computes the remaining time, and null while nothing is sent", () => {
  expect(remainingMs(1500, 1000)).toBe(1500);
  expect(remainingMs(1500, 0)).toBeNull();
  expect(remainingMs(1500, null)).toBeNull();
});
