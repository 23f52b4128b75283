import { describe, expect, test } from "vitest";
import {
  formatAgo,
  formatBytes,
  formatCompact,
  formatCount,
  formatDay,
  formatIn,
  formatShortDay,
} from "./format.js";

const NOW = Date.parse("2026-03-15T12:00:00Z");
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("formatAgo", () => {
  test.each([
    [0, "now"],
    [1, "now"],
    [MINUTE - 1, "now"],
    [MINUTE, "1 minute ago"],
    [1.4 * MINUTE, "1 minute ago"],
    [1.6 * MINUTE, "2 minutes ago"],
    [59 * MINUTE, "59 minutes ago"],
    [HOUR - 1, "60 minutes ago"],
    [HOUR, "1 hour ago"],
    [23 * HOUR, "23 hours ago"],
    [DAY - 1, "24 hours ago"],
    [DAY, "yesterday"],
    [2 * DAY, "2 days ago"],
    [30 * DAY - 1, "30 days ago"],
    [30 * DAY, "last month"],
    [60 * DAY, "2 months ago"],
    [365 * DAY - 1, "12 months ago"],
    [365 * DAY, "last year"],
    [730 * DAY, "2 years ago"],
  ])("%d ms ago is %j", (elapsedMs, expected) => {
    expect(formatAgo(new Date(NOW - elapsedMs).toISOString(), NOW)).toBe(expected);
  });

  test.each([
    [MINUTE - 1, "now"],
    [MINUTE, "in 1 minute"],
    [7 * DAY, "in 7 days"],
  ])("%d ms ahead is %j", (aheadMs, expected) => {
    expect(formatAgo(new Date(NOW + aheadMs).toISOString(), NOW)).toBe(expected);
  });
});

describe("formatIn rounds up, so that the time has really passed", () => {
  test.each([
    [1, "in 1 second"],
    [59, "in 59 seconds"],
    [60, "in 1 minute"],
    [61, "in 2 minutes"],
    [120, "in 2 minutes"],
    [121, "in 3 minutes"],
    [900, "in 15 minutes"],
  ])("%d seconds are %j", (seconds, expected) => {
    expect(formatIn(seconds)).toBe(expected);
  });
});

test("a day is that day in UTC in every time zone", () => {
  expect(formatDay("2026-01-31")).toBe("Jan 31, 2026");
  expect(formatShortDay("2026-01-31")).toBe("Jan 31");
});

test("counts have thousands separators", () => {
  expect(formatCount(1_234_567)).toBe("1,234,567");
});

test("counts beside an axis have at most five characters, and no two ticks look the same", () => {
  expect([0, 999, 1250, 3750, 500_000, 1_500_000, 200_000_000].map(formatCompact)).toEqual([
    "0",
    "999",
    "1.25K",
    "3.75K",
    "500K",
    "1.5M",
    "200M",
  ]);
});

test("prints a size just below 1 MB as 1 MB, not as 1,000 kB", () => {
  expect(formatBytes(999_999)).toBe("1 MB");
});
