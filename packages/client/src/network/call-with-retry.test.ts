import { expect, test, vi } from "vitest";
import { aRuntime, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { aMoment } from "../../test/store.js";
import { UploadError } from "../upload-error.js";
import { callWithRetry, type PendingRetry, type RetryOptions } from "./call-with-retry.js";
import { createRequestGate } from "./request-gate.js";

const { signal } = new AbortController();
const unavailable = new UploadError("unavailable", { status: 500 });
const noAnswer = new UploadError("network_error");

type TestRuntime = Pick<
  ReturnType<typeof aRuntimeWithoutPauses>,
  "after" | "random" | "advance" | "pendingMs"
>;

/** Calls through a new gate. The call fails with each of the errors first, and then succeeds. */
function callThrough(
  errors: unknown[],
  options: Partial<RetryOptions> = {},
  runtime: TestRuntime = aRuntimeWithoutPauses(),
) {
  const state = { isLost: false, hasGivenUp: false, isOffline: false, attempts: 0 };
  const pending: (Pick<PendingRetry, "attempt" | "delayMs"> | null)[] = [];
  const gate = createRequestGate(runtime, {
    isHeld: () => state.isLost && !state.hasGivenUp,
    onChange: () => {},
  });
  const isLost = vi.fn(async () => state.isLost);
  const connection = {
    isLost,
    hasGivenUp: () => state.hasGivenUp,
    state: () => (state.isOffline ? ("offline" as const) : ("online" as const)),
    confirm: () => {},
  };
  const call = async (_restartAttempts: () => void) => {
    const error = errors[state.attempts++];
    if (error) throw error;
    return "answer";
  };
  const onRetry = (retry: PendingRetry | null) =>
    pending.push(retry && { attempt: retry.attempt, delayMs: retry.delayMs });
  const start = (used: typeof call = call) =>
    callWithRetry({ runtime, gate, connection }, used, { signal, onRetry, ...options });
  return { start, state, pending, gate, isLost, runtime };
}

test("returns the answer of the first attempt that succeeds, and reports each pause", async () => {
  const { start, pending, state } = callThrough([unavailable, unavailable]);
  expect(await start()).toBe("answer");
  expect(state.attempts).toBe(3);
  expect(pending.filter(Boolean)).toEqual([
    { attempt: 2, delayMs: 250 },
    { attempt: 3, delayMs: 500 },
  ]);
  expect(pending.at(-1)).toBeNull();
});

test("immediately throws a failure that is not transient", async () => {
  const error = new UploadError("quota_exceeded", { status: 403 });
  const { start, state } = callThrough([error]);
  await expect(start()).rejects.toBe(error);
  expect(state.attempts).toBe(1);
});

test("throws the last failure after five attempts", async () => {
  const { start, state } = callThrough(Array.from({ length: 9 }, () => unavailable));
  await expect(start()).rejects.toBe(unavailable);
  expect(state.attempts).toBe(5);
});

test("counts attempts from 1 again after progress", async () => {
  const errors = Array.from({ length: 8 }, () => unavailable);
  const { start, state } = callThrough([]);
  const answer = start(async (restartAttempts) => {
    restartAttempts();
    const error = errors[state.attempts++];
    if (error) throw error;
    return "answer";
  });
  await expect(answer).resolves.toBe("answer");
  expect(state.attempts).toBe(9);
});

test("waits for a lost connection, and uses up no attempt for it", async () => {
  const { start, state, gate, pending } = callThrough(Array.from({ length: 7 }, () => noAnswer));
  state.isLost = true;
  const answer = start();
  for (let outage = 0; outage < 7; outage++) {
    await aMoment();
    expect(state.attempts).toBe(outage);
    // The connection is back for one attempt only.
    state.isLost = false;
    gate.recheck();
    state.isLost = true;
  }
  await aMoment();
  state.isLost = false;
  gate.recheck();
  expect(await answer).toBe("answer");
  expect(pending.every((retry) => retry === null)).toBe(true);
});

test("does not check the connection for a background call, and takes no slot", async () => {
  const { start, gate, isLost, state } = callThrough([noAnswer], { isBackground: true });
  gate.pause(0);
  await aMoment();
  expect(await start()).toBe("answer");
  expect(isLost).not.toHaveBeenCalled();
  expect(state.attempts).toBe(2);
});

test("holds all calls back for as long as an overloaded server asks", async () => {
  const runtime = aRuntime({ random: 0 });
  const busy = new UploadError("too_many_requests", { status: 429, retryAfterMs: 7000 });
  const { start, gate } = callThrough([busy], {}, runtime);
  const answer = start();
  await aMoment();
  expect(gate.capacity()).toBe(0);
  runtime.advance(7000);
  expect(await answer).toBe("answer");
  // One, plus one for the success.
  expect(gate.capacity()).toBe(2);
});

test("gives up on a pause that is too long, and still holds other calls back", async () => {
  const busy = new UploadError("too_many_requests", { status: 429, retryAfterMs: 600_000 });
  const { start, gate } = callThrough([busy], {}, aRuntime());
  await expect(start()).rejects.toBe(busy);
  expect(gate.capacity()).toBe(0);
});

test("rejects with the reason of the signal during a pause, and leaves no timer behind", async () => {
  const caller = new AbortController();
  const reason = new Error("cancelled");
  const { start, runtime } = callThrough([unavailable], { signal: caller.signal }, aRuntime());
  const answer = start();
  await expect.poll(() => runtime.pendingMs()).toEqual([250]);
  caller.abort(reason);
  await expect(answer).rejects.toBe(reason);
  expect(runtime.pendingMs()).toEqual([]);
});

test("fails at the next attempt once the connection has given up on the backend", async () => {
  const { start, state, gate } = callThrough(Array.from({ length: 9 }, () => noAnswer));
  state.isLost = true;
  const answer = start();
  await aMoment();
  state.hasGivenUp = true;
  gate.recheck();
  await expect(answer).rejects.toMatchObject({ code: "server_unreachable", status: 0 });
  expect(state.attempts).toBe(1);
});

test.each([
  ["the backend is unreachable while there is a network", false, "server_unreachable"],
  ["the connection is lost while there is none", true, "network_error"],
])("says that %s", async (_, isOffline, code) => {
  const { start, state } = callThrough(Array.from({ length: 9 }, () => noAnswer));
  state.isOffline = isOffline;
  await expect(start()).rejects.toMatchObject({ code });
});
