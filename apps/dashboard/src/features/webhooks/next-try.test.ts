import { expect, test } from "vitest";
import { untilNextTry } from "./next-try.js";

const now = Date.parse("2026-01-31T12:00:00Z");
const inSeconds = (seconds: number) => ({ nextAttemptAt: new Date(now + seconds * 1000).toISOString() });

test("deliveries that are over are not loaded again", () => {
  expect(untilNextTry([], now)).toBe(false);
  expect(untilNextTry([{ nextAttemptAt: null }], now)).toBe(false);
});

test.each([
  ["after two seconds if a try is due", [-20], 2_000],
  ["after two seconds if a try may be running", [30, 59, 900], 2_000],
  ["a minute before the next try", [90, 900], 30_000],
  ["after a minute at most", [14_400], 60_000],
])("deliveries are loaded again %s", (_, seconds, intervalMs) => {
  expect(untilNextTry([{ nextAttemptAt: null }, ...seconds.map(inSeconds)], now)).toBe(intervalMs);
});
