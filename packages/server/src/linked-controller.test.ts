import { expect, test } from "vitest";
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

test("is not aborted after unlink", () => {
  const outer = new AbortController();
  const { controller, unlink } = linkController(outer.signal);
  unlink();
  outer.abort();
  expect(controller.signal.aborted).toBe(false);
});
