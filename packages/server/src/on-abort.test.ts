import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { onAbort } from "./on-abort.js";

test("calls each listener that was not removed, once", async () => {
  const controller = new AbortController();
  const listeners = [vi.fn(), vi.fn(), vi.fn()];
  const [, remove] = listeners.map((each) => onAbort(controller.signal, each));
  remove!();
  remove!();
  const aborted = once(controller.signal, "abort");
  controller.abort();
  await aborted;
  expect(listeners.map(({ mock }) => mock.calls.length)).toEqual([1, 0, 1]);
});

test("adds one event listener to a signal, however many calls have it, at the same time or one after the other", () => {
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, "addEventListener");
  const removers = Array.from({ length: 100 }, () => onAbort(signal, () => undefined));
  for (const remove of removers) remove();
  for (let call = 0; call < 100; call++) onAbort(signal, () => undefined)();
  expect(added).toHaveBeenCalledOnce();
});
