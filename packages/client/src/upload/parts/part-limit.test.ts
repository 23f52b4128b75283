import { expect, test } from "vitest";
import { aRuntime } from "../../../test/runtime.js";
import { createPartLimit } from "./part-limit.js";

/** A line that takes parts of 1000 bytes. @param speedOf bytes per millisecond for a number of parts in flight */
function aLine(speedOf: (parts: number) => number) {
  const runtime = aRuntime();
  const limit = createPartLimit(runtime);
  return {
    limit,
    /** Sends two rounds of parts, which is what the limit measures. */
    sendWindow() {
      const parts = limit.current();
      for (let part = 0; part < 2 * parts; part++) {
        runtime.advance(1000 / speedOf(parts));
        limit.addSent(1000);
      }
      return limit.current();
    },
  };
}

test("begins with six parts at the same time, and stays there as long as none stalls", () => {
  const { sendWindow } = aLine(() => 4);
  expect([sendWindow(), sendWindow(), sendWindow()]).toEqual([6, 6, 6]);
});

test("sends half as many parts when they stall, and at least one", () => {
  const { limit } = aLine(() => 4);
  const limits = Array.from({ length: 4 }, () => {
    limit.slowDown();
    return limit.current();
  });
  expect(limits).toEqual([3, 1, 1, 1]);
});

test("returns to six after a stall, part by part, where more parts are faster", () => {
  const { limit, sendWindow } = aLine((parts) => parts);
  limit.slowDown();
  const limits = Array.from({ length: 9 }, sendWindow);
  expect(limits).toEqual([3, 3, 3, 3, 3, 4, 5, 6, 6]);
});

test("goes back by one part, and tries again only later, where more parts are not faster", () => {
  const { limit, sendWindow } = aLine(() => 4);
  limit.slowDown();
  const limits = Array.from({ length: 14 }, sendWindow);
  expect(limits).toEqual([3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 3, 4, 3]);
});
