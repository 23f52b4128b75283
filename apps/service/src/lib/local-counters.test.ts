import { expect, test } from "vitest";
import { createLocalCounters } from "./local-counters.js";

function aClock() {
  let now = 1_000_000;
  return { clock: () => new Date(now), advance: (ms: number) => (now += ms) };
}

test("a count starts again when its window ends", () => {
  const { clock, advance } = aClock();
  const counters = createLocalCounters(clock, 10);
  expect(counters.add("a", 1000)).toEqual({ count: 1, remainingMs: 1000 });
  advance(999);
  expect(counters.add("a", 1000, 5)).toEqual({ count: 6, remainingMs: 1 });
  expect(counters.add("a", 1000, -1)).toEqual({ count: 5, remainingMs: 1 });
  expect(counters.add("b", 1000)).toEqual({ count: 1, remainingMs: 1000 });
  advance(1);
  expect(counters.add("a", 1000)).toEqual({ count: 1, remainingMs: 1000 });
});

test("a clock that is set back starts a window, and does not make one longer", () => {
  const { clock, advance } = aClock();
  const counters = createLocalCounters(clock, 10);
  counters.add("a", 1000, 7);
  advance(-3600_000);
  expect(counters.add("a", 1000)).toEqual({ count: 1, remainingMs: 1000 });
});

test("the count that was changed first is forgotten beyond the most names", () => {
  const { clock } = aClock();
  const counters = createLocalCounters(clock, 2);
  counters.add("a", 1000);
  counters.add("b", 1000);
  counters.add("a", 1000);
  counters.add("c", 1000);
  expect(counters.add("a", 1000).count).toBe(3);
  expect(counters.add("b", 1000).count).toBe(1);
});
