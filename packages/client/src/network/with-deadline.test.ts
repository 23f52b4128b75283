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

test("gives a page that was frozen a moment to learn what has happened, once", async () => {
  const runtime = aRuntime();
  const late = withDeadline(runtime, signal, (_signal, setDeadline) => {
    setDeadline(30_000);
    return new Promise<never>(() => {});
  });
  let finish = (_text: string) => {};
  const arrived = withDeadline(runtime, signal, (_signal, setDeadline) => {
    setDeadline(30_000);
    return new Promise<string>((resolve) => (finish = resolve));
  });
  runtime.freeze(20 * 60_000);
  finish("answer");
  expect(await arrived).toBe("answer");
  expect(runtime.pendingMs()).toEqual([10_000]);
  // The timers of a hidden page are always late.
  runtime.freeze(60_000);
  await expect(late).rejects.toMatchObject({ code: "timed_out" });
});
