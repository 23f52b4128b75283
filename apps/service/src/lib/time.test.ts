import { expect, test } from "vitest";
import { addMs, DAY_MS, lastUtcDays, toUtcDay, toWholeSeconds } from "./time.js";

const now = new Date("2026-03-01T23:59:59.999Z");

test("adds and subtracts milliseconds", () => {
  expect(addMs(now, 1)).toEqual(new Date("2026-03-02T00:00:00.000Z"));
  expect(addMs(now, -DAY_MS)).toEqual(new Date("2026-02-28T23:59:59.999Z"));
});

test("rounds down to a whole second", () => {
  expect(toWholeSeconds(now)).toEqual(new Date("2026-03-01T23:59:59.000Z"));
  expect(toWholeSeconds(new Date("2026-03-01T00:00:00.000Z"))).toEqual(new Date("2026-03-01T00:00:00.000Z"));
});

test("lists the last days in UTC, with today as the last one", () => {
  expect(toUtcDay(now)).toBe("2026-03-01");
  expect(lastUtcDays(now, 3)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
});
