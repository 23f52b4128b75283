import { expect, test } from "vitest";
import { CountMinSketch } from "./count-min-sketch.js";

const SEED = Buffer.from("a seed for the tests");

test("counts each key", () => {
  const sketch = new CountMinSketch(SEED);
  expect([sketch.add("a"), sketch.add("a"), sketch.add("b")]).toEqual([1, 2, 1]);
  expect(sketch.count("c")).toBe(0);
  sketch.clear();
  expect(sketch.count("a")).toBe(0);
});

test("raises a count, and never lowers it", () => {
  const sketch = new CountMinSketch(SEED);
  sketch.raise("a", 10);
  sketch.raise("a", 3);
  expect(sketch.add("a")).toBe(11);
});

test("300,000 other keys do not lower the count of a key, and raise that of another one by few", () => {
  const sketch = new CountMinSketch(SEED);
  for (let n = 0; n < 20; n++) sketch.add("early");
  for (let n = 0; n < 300_000; n++) sketch.add(`2001:db8:${n >> 16}:${n & 65_535}`);
  expect(sketch.count("early")).toBeGreaterThanOrEqual(20);
  const tooHigh = Array.from({ length: 100 }, (_, n) => sketch.count(`never seen ${n}`));
  expect(Math.max(...tooHigh)).toBeLessThan(20);
});
