import { expect, test } from "vitest";
import { createTimes } from "./times.js";

test("shows the median of each step, without the round that warms up", () => {
  let clock = 0;
  const times = createTimes(() => clock);
  for (const [round, seconds] of [100, 3, 1, 8].entries()) {
    const lap = times.start("npx stowage", { counts: round > 0 });
    clock += seconds * 1000;
    lap("runs");
    clock += 1000;
    lap("stored");
  }
  expect(times.rows()).toEqual(["npx stowage"]);
  expect(times.render().split("\n").slice(2)).toEqual([
    "| npx stowage | runs | 3.0 s | 1.0 to 8.0 s |",
    "| npx stowage | stored | 4.0 s | 2.0 to 9.0 s |",
  ]);
});
