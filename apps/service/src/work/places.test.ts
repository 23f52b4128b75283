import { expect, test } from "vitest";
import { createPlaces } from "./places.js";

test("one owner takes all places but one, and another one takes that", () => {
  const places = createPlaces<string>(3);
  expect([places.take("a"), places.take("a"), places.take("a")]).toEqual([true, true, false]);
  expect([places.take("b"), places.take("b"), places.take(null)]).toEqual([true, false, false]);
  places.give("a");
  expect([places.take("b"), places.take("a")]).toEqual([true, false]);
});

test("without an owner, the last place may be taken too", () => {
  const places = createPlaces<string>(2);
  expect([places.take(null), places.take(null), places.take(null)]).toEqual([true, true, false]);
});

test("the only place is for each owner", () => {
  const places = createPlaces<string>(1);
  expect([places.take("a"), places.take("b")]).toEqual([true, false]);
  places.give("a");
  expect(places.take("b")).toBe(true);
});
