import { expect, test } from "vitest";
import { fullJitterMs, parseRetryAfterMs } from "./retry.js";

const now = Date.UTC(2026, 0, 1);

test.each([
  ["7", 7000],
  [" 0 ", 0],
  ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  ["Wed, 31 Dec 2025 23:00:00 GMT", 0],
])("reads Retry-After %j as %i ms", (header, delayMs) => {
  expect(parseRetryAfterMs(header, now)).toBe(delayMs);
});

test.each(["soon", "", null, undefined])("reads no pause from Retry-After %j", (header) => {
  expect(parseRetryAfterMs(header, now)).toBeUndefined();
});

test("doubles the longest delay with each retry, up to the maximum", () => {
  const longest = [0, 1, 2, 3].map((retry) =>
    fullJitterMs(retry, { firstDelayMs: 500, maxDelayMs: 3000, random: 1 }),
  );
  expect(longest).toEqual([500, 1000, 2000, 3000]);
});

test("takes a random share of the longest delay", () => {
  const delays = [0, 0.25].map((random) => fullJitterMs(2, { firstDelayMs: 500, maxDelayMs: 3000, random }));
  expect(delays).toEqual([0, 500]);
});
