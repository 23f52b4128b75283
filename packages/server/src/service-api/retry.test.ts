import { StowageError } from "@stowage/schemas";
import { expect, test } from "vitest";
import { retryCall, type RetryPolicy } from "./retry.js";

const policy: RetryPolicy = { retries: 2, delayMs: () => 60_000, maxDelayMs: 60_000, codes: ["unavailable"] };

/** A call that always fails and counts its attempts. */
function aFailingCall(code: "unavailable" | "file_not_found") {
  const failure = new StowageError(code);
  const made = { failure, times: 0, call: () => (made.times++, Promise.reject(failure)) };
  return made;
}

test("stops waiting when the signal aborts, throws the last failure and makes no further call", async () => {
  const made = aFailingCall("unavailable");
  const job = new AbortController();
  const result = retryCall(made.call, policy, job.signal);
  setTimeout(() => job.abort(new Error("enough")), 10);
  await expect(result).rejects.toBe(made.failure);
  expect(made.times).toBe(1);
});

test("makes one call if the signal was aborted before", async () => {
  const made = aFailingCall("unavailable");
  await expect(retryCall(made.call, policy, AbortSignal.abort())).rejects.toBe(made.failure);
  expect(made.times).toBe(1);
});

test("retries as often as the policy says, and only the policy's codes", async () => {
  const soon = { ...policy, delayMs: () => 0 };
  const { signal } = new AbortController();
  const away = aFailingCall("unavailable");
  await expect(retryCall(away.call, soon, signal)).rejects.toBe(away.failure);
  expect(away.times).toBe(3);
  const missing = aFailingCall("file_not_found");
  await expect(retryCall(missing.call, soon, signal)).rejects.toBe(missing.failure);
  expect(missing.times).toBe(1);
});
