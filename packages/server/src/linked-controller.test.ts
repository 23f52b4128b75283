import { expect, test, vi } from "vitest";
import { linkController } from "./linked-controller.js";

test("aborts with the outer signal, for its reason", () => {
  const outer = new AbortController();
  const { controller } = linkController(outer.signal);
  expect(controller.signal.aborted).toBe(false);
  outer.abort("enough");
  expect(controller.signal.reason).toBe("enough");
});

test("is aborted from the start if the outer signal is", () => {
  const { controller } = linkController(AbortSignal.abort("enough"));
  expect(controller.signal.reason).toBe("enough");
});

test("leaves no listener on the outer signal after unlink, so that a signal for many calls does not grow", () => {
  const outer = new AbortController();
  const added = vi.spyOn(outer.signal, "addEventListener");
  const removed = vi.spyOn(outer.signal, "removeEventListener");
  const { controller, unlink } = linkController(outer.signal);
  unlink();
  outer.abort();
  expect(controller.signal.aborted).toBe(false);
  expect(removed.mock.calls).toEqual(added.mock.calls);
});
