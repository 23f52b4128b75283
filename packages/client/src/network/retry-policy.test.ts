import { expect, test } from "vitest";
import { UploadError } from "../upload-error.js";
import { isTransient, retryDelayMs } from "./retry-policy.js";

test("retries after no answer, 408, 429 and 5xx, and after no other failure", () => {
  const retried = [0, 400, 401, 403, 404, 408, 409, 412, 413, 429, 500, 502, 503, 504].filter((status) =>
    isTransient(new UploadError(status === 0 ? "network_error" : "request_refused", { status })),
  );
  expect(retried).toEqual([0, 408, 429, 500, 502, 503, 504]);
  expect(isTransient(new UploadError("timed_out"))).toBe(true);
  expect(isTransient(new UploadError("file_unreadable"))).toBe(false);
  expect(isTransient(new TypeError())).toBe(false);
});

test("doubles the longest delay from 500 ms on, and gives up after the fifth attempt", () => {
  const ceilings = [1, 2, 3, 4].map((attempt) => retryDelayMs(attempt, 0, 1));
  expect(ceilings).toEqual([500, 1000, 2000, 4000]);
  expect(retryDelayMs(5, 0, 1)).toBeNull();
});

test("takes a random share of the longest delay", () => {
  expect(retryDelayMs(3, 0, 0)).toBe(0);
  expect(retryDelayMs(3, 0, 0.25)).toBe(500);
});

test("waits at least as long as Retry-After says, and gives up when that is longer than 2 minutes", () => {
  expect(retryDelayMs(1, 7000, 0)).toBe(7000);
  expect(retryDelayMs(1, 7000, 1)).toBe(7500);
  expect(retryDelayMs(1, 120_000, 0)).toBe(120_000);
  expect(retryDelayMs(1, 120_001, 0)).toBeNull();
});
