import { expect, test } from "vitest";
import { aRuntime } from "../../test/runtime.js";
import { withDeadline } from "./with-deadline.js";

const { signal } = new AbortController();

test("returns the result of work that ends in time, and leaves no timer behind", async () => {
  const runtime = aRuntime();
  const result = withDeadline(runtime, signal, async (_signal, setDeadline) => {
    setDeadline(1000);
    return 7;
  });
  expect(await result).toBe(7);
  expect(runtime.pendingMs()).toEqual([]);
});

test("times out at the last deadline that was set, even if the work ignores its signal", async () => {
  const runtime = aRuntime();
  const signals: AbortSignal[] = [];
  const result = withDeadline(runtime, signal, (workSignal, setDeadline) => {
    signals.push(workSignal);
    setDeadline(1000);
    setDeadline(5000);
    return new Promise<never>(() => {});
  });
  runtime.advance(4999);
  expect(signals[0]?.aborted).toBe(false);
  runtime.advance(1);
  await expect(result).rejects.toMatchObject({ code: "timed_out", status: 0 });
  expect(signals[0]?.aborted).toBe(true);
});

test("rejects with the caller's reason when the caller aborts, before or during the work", async () => {
  const reason = new Error("cancelled");
  const caller = new AbortController();
  const hanging = withDeadline(aRuntime(), caller.signal, () => new Promise<never>(() => {}));
  caller.abort(reason);
  await expect(hanging).rejects.toBe(reason);
  await expect(withDeadline(aRuntime(), caller.signal, async () => 7)).rejects.toBe(reason);
});
