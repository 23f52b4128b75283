import { expect, test } from "vitest";
import { throttle } from "./throttle.js";

/** A throttled function whose time and whose runs end when the test says so. */
function aThrottle() {
  const state = { runs: 0, endRun: () => {}, endInterval: () => {} };
  const runtime = {
    after(_ms: number, run: () => void) {
      state.endInterval = run;
      return () => (state.endInterval = () => {});
    },
  };
  const throttled = throttle(runtime, 1000, () => {
    state.runs++;
    return new Promise((resolve) => (state.endRun = resolve));
  });
  return { state, throttled };
}
/** Lets the promises that are settled call back. */
const aTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("runs at once, and requests during the run and its interval share one further run", async () => {
  const { state, throttled } = aThrottle();
  throttled.request();
  expect(state.runs).toBe(1);
  throttled.request();
  state.endRun();
  await aTurn();
  throttled.request();
  expect(state.runs).toBe(1);
  state.endInterval();
  await aTurn();
  expect(state.runs).toBe(2);
});

test("does not run again before a run that is longer than the interval has ended", async () => {
  const { state, throttled } = aThrottle();
  throttled.request();
  throttled.request();
  state.endInterval();
  await aTurn();
  expect(state.runs).toBe(1);
  state.endRun();
  await aTurn();
  expect(state.runs).toBe(2);
});

test("starts no run after it was cancelled", async () => {
  const { state, throttled } = aThrottle();
  throttled.request();
  throttled.request();
  const { endInterval } = state;
  throttled.cancel();
  state.endRun();
  endInterval();
  await aTurn();
  throttled.request();
  expect(state.runs).toBe(1);
});
