import { expect, test } from "vitest";
import { CallShares } from "./call-shares.js";

test("calls count as shared for a second after inputs of different owners", () => {
  let ms = 0;
  const shares = new CallShares(2, () => ms);
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
  const shares = new CallShares(2);
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
