import { expect, test } from "vitest";
import { CallShares } from "./call-shares.js";

test("calls count as shared for a second after inputs of different owners", () => {
  let ms = 0;
  const shares = new CallShares({ maxCallsPerOwner: 2 }, () => ms);
  shares.noteInput("one");
  shares.noteInput("one");
  expect(shares.isShared()).toBe(false);
  shares.noteInput("other");
  expect(shares.isShared()).toBe(true);
  ms = 900;
  shares.noteInput("one");
  ms = 1899;
  shares.noteInput("one");
  expect(shares.isShared()).toBe(true);
  ms = 1900;
  expect(shares.isShared()).toBe(false);
});

test("an owner may start calls up to its bound, however many inputs they have, and again when one has ended", () => {
  const shares = new CallShares({ maxCallsPerOwner: 2 });
  const endFirst = shares.startCall([{ owner: "flood" }, { owner: "flood" }, { owner: "quiet" }]);
  expect(shares.mayStartCall("flood")).toBe(true);
  const endSecond = shares.startCall([{ owner: "flood" }]);
  expect(shares.mayStartCall("flood")).toBe(false);
  expect(shares.mayStartCall("quiet")).toBe(true);
  expect(shares.mayStartCall("new")).toBe(true);
  endFirst();
  expect(shares.mayStartCall("flood")).toBe(true);
  endSecond();
  expect(shares.mayStartCall("flood")).toBe(true);
});

test("while several owners send inputs, one with many inputs in a call does not start another until it has ended", () => {
  let ms = 0;
  const shares = new CallShares({ maxCallsPerOwner: 2, maxSharedInputsPerOwner: 3 }, () => ms);
  const inputsOf = (owner: string, count: number) => Array.from({ length: count }, () => ({ owner }));
  shares.noteInput("flood");
  const end = shares.startCall(inputsOf("flood", 3));
  expect(shares.mayStartCall("flood"), "alone").toBe(true);
  shares.noteInput("quiet");
  expect(shares.mayStartCall("flood")).toBe(false);
  expect(shares.mayStartCall("quiet")).toBe(true);
  end();
  expect(shares.mayStartCall("flood")).toBe(true);
  shares.startCall(inputsOf("flood", 2));
  expect(shares.mayStartCall("flood"), "with few inputs").toBe(true);
  shares.startCall(inputsOf("flood", 1));
  expect(shares.mayStartCall("flood")).toBe(false);
  ms = 1000;
  expect(shares.mayStartCall("flood"), "in two calls").toBe(false);
});
