import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "#lib/time.js";
import { hasFailedTooLong, nextTryAt, readRetryAfter } from "./retry-schedule.js";

const now = new Date("2026-01-31T12:00:00Z");
const pauseSeconds = (tries: number, { retryAfterMs = null as number | null, random = 0 } = {}) => {
  const at = nextTryAt(tries, { now, retryAfterMs, random });
  return at && (at.getTime() - now.getTime()) / 1000;
};

test("the pauses grow from 5 seconds to 24 hours, and the ninth failure is the last", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map((tries) => pauseSeconds(tries))).toEqual([
    5,
    30,
    120,
    900,
    3600,
    14_400,
    43_200,
    86_400,
    null,
  ]);
});

test("a pause is up to a fifth longer by chance", () => {
  expect(pauseSeconds(1, { random: 0.5 })).toBe(5.5);
  expect(pauseSeconds(2, { random: 0.999 })).toBeLessThan(36);
});

test("Retry-After makes a pause longer, up to 24 hours, and never shorter", () => {
  expect(pauseSeconds(1, { retryAfterMs: 60_000 })).toBe(60);
  expect(pauseSeconds(4, { retryAfterMs: 60_000 })).toBe(900);
  expect(pauseSeconds(1, { retryAfterMs: 10 * DAY_MS })).toBe(86_400);
});

test("reads Retry-After in seconds and as a date, and nothing else", () => {
  expect(readRetryAfter("120", now)).toBe(120_000);
  expect(readRetryAfter("Sat, 31 Jan 2026 13:00:00 GMT", now)).toBe(HOUR_MS);
  expect(readRetryAfter("Sat, 31 Jan 2026 11:00:00 GMT", now)).toBe(0);
  expect([undefined, "", "soon", "-1x"].map((header) => readRetryAfter(header, now))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test("an endpoint may fail for five days", () => {
  expect(hasFailedTooLong(new Date(now.getTime() - 5 * DAY_MS + 1), now)).toBe(false);
  expect(hasFailedTooLong(new Date(now.getTime() - 5 * DAY_MS), now)).toBe(true);
});
