import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { TimeLimit } from "./limit-time.js";

const LONG_MS = 60_000;

it("is over by time, late, and tells once", async () => {
  const limit = new TimeLimit(1, new AbortController().signal);
  const told = vi.fn();
  limit.whenOver(told);
  const { signal } = limit;
  expect(signal.aborted).toBe(false);
  await sleep(20);
  expect(limit.isLate).toBe(true);
  expect(signal.aborted).toBe(true);
  expect(told.mock.calls).toEqual([[undefined]]);
});

it("is over with the stop, for its reason, and not late", () => {
  const job = new AbortController();
  const limit = new TimeLimit(LONG_MS, job.signal);
  const told = vi.fn();
  limit.whenOver(told);
  job.abort("enough");
  expect(told.mock.calls).toEqual([["enough"]]);
  expect(limit.signal.reason).toBe("enough");
  expect(limit.isLate).toBe(false);
});

it("is over at once where the stop has come before", () => {
  const limit = new TimeLimit(LONG_MS, AbortSignal.abort("enough"));
  const told = vi.fn();
  limit.whenOver(told);
  expect(told.mock.calls).toEqual([["enough"]]);
  expect(limit.signal.aborted).toBe(true);
});

it("tells nothing once it was let go", async () => {
  const job = new AbortController();
  const limit = new TimeLimit(1, job.signal);
  const told = vi.fn();
  limit.whenOver(told);
  limit.end();
  job.abort();
  await sleep(20);
  expect(told).not.toHaveBeenCalled();
  expect(limit.isLate).toBe(false);
});
