import { describe, expect, test } from "vitest";
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.js";
import {
  firstCheckAt,
  lastCheckAt,
  nextCheckAt,
  nextTombstoneCheckAt,
  pendingExpiresAt,
} from "./check-schedule.js";

const createdAt = new Date("2026-11-21T12:00:00Z");
const urlExpiresAt = addMs(createdAt, HOUR_MS);
const ofOnePut = { createdAt, storedAt: null, urlExpiresAt, partSize: null, multipart: null };
const afterRequest = (ms: number) => addMs(createdAt, ms);
const afterExpiry = (ms: number) => addMs(urlExpiresAt, ms);

describe("a pending file", () => {
  const next = (now: Date) => nextCheckAt({ ...ofOnePut, status: "pending" }, now);

  test("is first checked one second after its request", () => {
    expect(firstCheckAt(createdAt)).toEqual(afterRequest(SECOND_MS));
  });

  test.each([
    [1 * SECOND_MS, 1 * SECOND_MS],
    [8 * SECOND_MS, 2 * SECOND_MS],
    [32 * SECOND_MS, 8 * SECOND_MS],
    [30 * MINUTE_MS, 8 * SECOND_MS],
  ])("that is %i ms old is checked again after %i ms", (ageMs, intervalMs) => {
    expect(next(afterRequest(ageMs))).toEqual(afterRequest(ageMs + intervalMs));
  });

  test("is checked at the moment at which it expires, five seconds after its URL", () => {
    expect(pendingExpiresAt(urlExpiresAt)).toEqual(afterExpiry(5 * SECOND_MS));
    expect(next(afterExpiry(0))).toEqual(afterExpiry(5 * SECOND_MS));
    expect(next(afterExpiry(5 * SECOND_MS))).toEqual(afterExpiry(13 * SECOND_MS));
  });
});

describe.each(["stored", "expired"] as const)("a %s file", (status) => {
  test("is checked five times in the day after its URL has expired, and then never again", () => {
    const checks: Date[] = [];
    let next = nextCheckAt({ ...ofOnePut, status }, createdAt);
    while (next) {
      checks.push(next);
      next = nextCheckAt({ ...ofOnePut, status }, next);
    }
    const delays = [5 * SECOND_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS];
    expect(checks).toEqual(delays.map(afterExpiry));
    expect(lastCheckAt(urlExpiresAt)).toEqual(checks.at(-1));
  });
});

test("a file that is being deleted is due immediately", () => {
  expect(nextCheckAt({ ...ofOnePut, status: "deleting" }, createdAt)).toEqual(createdAt);
});

describe("a pending upload by parts", () => {
  const sessionEndsAt = addMs(createdAt, 7 * DAY_MS);
  const upload = { ...ofOnePut, status: "pending", partSize: 8, urlExpiresAt: sessionEndsAt } as const;
  const signed = { ...upload, multipart: { urlsExpireAt: afterRequest(HOUR_MS).getTime() } };

  test("is first checked when its session ends, if no part was signed", () => {
    expect(nextCheckAt(upload, createdAt)).toEqual(pendingExpiresAt(sessionEndsAt));
  });

  test("is checked every 15 seconds while URLs of its parts are valid, then for a day, then when its session ends", () => {
    expect(nextCheckAt(signed, createdAt)).toEqual(afterRequest(15 * SECOND_MS));
    expect(nextCheckAt(signed, afterRequest(HOUR_MS))).toEqual(afterRequest(HOUR_MS + 5 * SECOND_MS));
    expect(nextCheckAt(signed, afterRequest(8 * HOUR_MS))).toEqual(afterRequest(25 * HOUR_MS));
    expect(nextCheckAt(signed, afterRequest(25 * HOUR_MS))).toEqual(pendingExpiresAt(sessionEndsAt));
  });

  test("is checked every 15 seconds after its session has ended, until it has expired", () => {
    const late = addMs(sessionEndsAt, MINUTE_MS);
    expect(nextCheckAt(signed, late)).toEqual(addMs(late, 15 * SECOND_MS));
  });

  test("is checked twice after it was stored: at once, and when no URL of a part can be valid", () => {
    const stored = { ...signed, status: "stored", storedAt: createdAt } as const;
    expect(nextCheckAt(stored, createdAt)).toEqual(afterRequest(5 * SECOND_MS));
    expect(nextCheckAt(stored, afterRequest(5 * SECOND_MS))).toEqual(afterRequest(HOUR_MS + 5 * SECOND_MS));
    expect(nextCheckAt(stored, afterRequest(HOUR_MS + 5 * SECOND_MS))).toBeNull();
  });
});

describe("the path of a deleted file", () => {
  const until = lastCheckAt(urlExpiresAt);

  test("is checked every ten minutes until its URL has expired", () => {
    expect(nextTombstoneCheckAt(until, createdAt)).toEqual(afterRequest(10 * MINUTE_MS));
    expect(nextTombstoneCheckAt(until, afterExpiry(-MINUTE_MS))).toEqual(afterExpiry(5 * SECOND_MS));
  });

  test("is then checked as any other file, for the last time when the tombstone ends", () => {
    expect(nextTombstoneCheckAt(until, afterExpiry(5 * SECOND_MS))).toEqual(afterExpiry(10 * MINUTE_MS));
    expect(nextTombstoneCheckAt(until, afterExpiry(7 * HOUR_MS))).toEqual(until);
    expect(nextTombstoneCheckAt(until, until)).toEqual(until);
  });
});
