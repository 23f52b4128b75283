import { StowageError } from "@stowage/schemas";
import { expect, it } from "vitest";
import { retryCall, type RetryPolicy } from "./retry.js";

const rule: RetryPolicy = { retries: 2, delayMs: () => 60_000, maxDelayMs: 60_000, codes: ["unavailable"] };

/** Fails each time, and counts how often. */
function aFailingCall(code: "unavailable" | "file_not_found") {
  const failure = new StowageError(code);
  const made = { failure, times: 0, call: () => (made.times++, Promise.reject(failure)) };
  return made;
}

it("a wait ends with the stop, by the failure that was waited over, and no call is made after it", async () => {
  const made = aFailingCall("unavailable");
  const job = new AbortController();
  const result = retryCall(made.call, rule, job.signal);
  setTimeout(() => job.abort(new Error("enough")), 10);
  await expect(result).rejects.toBe(made.failure);
  expect(made.times).toBe(1);
});

it("a stop that has come before leaves one call", async () => {
  const made = aFailingCall("unavailable");
  await expect(retryCall(made.call, rule, AbortSignal.abort())).rejects.toBe(made.failure);
  expect(made.times).toBe(1);
});

it("makes a call again as often as the rule says, and only for failures that it names", async () => {
  const soon = { ...rule, delayMs: () => 0 };
  const { signal } = new AbortController();
  const away = aFailingCall("unavailable");
  await expect(retryCall(away.call, soon, signal)).rejects.toBe(away.failure);
  expect(away.times).toBe(3);
  const missing = aFailingCall("file_not_found");
  await expect(retryCall(missing.call, soon, signal)).rejects.toBe(missing.failure);
  expect(missing.times).toBe(1);
});
