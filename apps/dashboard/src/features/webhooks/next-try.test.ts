import { expect, test } from "vitest";
import { untilNextTry } from "./next-try.js";

const now = Date.parse("2026-01-31T12:00:00Z");
const inSeconds = (seconds: number) => ({ nextAttemptAt: new Date(now + seconds * 1000).toISOString() });

test("deliveries that are over are not loaded again", () => {
  expect(untilNextTry([], now)).toBe(false);
  expect(untilNextTry([{ nextAttemptAt: null }], now)).toBe(false);
});

test.each([
  ["the try that is next", [30, 5, 900], 6_000],
  ["a try that is due, at most every two seconds", [-20], 2_000],
  ["a try in some hours, at least once a minute", [14_400], 60_000],
])("deliveries are loaded again after %s", (_, seconds, intervalMs) => {
  expect(untilNextTry([{ nextAttemptAt: null }, ...seconds.map(inSeconds)], now)).toBe(intervalMs);
});
