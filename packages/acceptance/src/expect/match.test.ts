import { expect, test } from "vitest";
import { aTime, exactly, findDifference, oneOf } from "./match.js";

test.each<[string, unknown, unknown]>([
  ["a value", 5, 5],
  ["some members", { a: 1 }, { a: 1, b: 2 }],
  ["all members", exactly({ a: 1 }), { a: 1 }],
  ["each element", [{ a: 1 }, 2], [{ a: 1, b: 2 }, 2]],
  ["a rule", { at: aTime }, { at: "2026-01-31T12:00:00.000Z" }],
  ["one of several values", oneOf(1, null), null],
])("an expectation of %s accepts what fits", (_what, expected, got) => {
  expect(findDifference(expected, got)).toBeNull();
});

test.each<[string, unknown, unknown, object]>([
  ["another value", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, { path: "a[0].b", expected: "1", got: "2" }],
  ["a missing member", { a: null }, {}, { path: "a", expected: "null", got: "nothing" }],
  ["a surplus member", exactly({ a: 1 }), { a: 1, b: 2 }, { got: "also b" }],
  ["a longer list", [1], [1, 2], { path: "", got: "[1,2]" }],
  ["a text that breaks the rule", { at: aTime }, { at: "today" }, { path: "at", got: '"today"' }],
  ["a number in place of its text", "1", 1, { expected: '"1"', got: "1" }],
])("a difference names where it is: %s", (_what, expected, got, difference) => {
  expect(findDifference(expected, got)).toMatchObject(difference);
});
