import { expect, test } from "vitest";
import { aRuntime } from "../../../../test/runtime.js";
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

test("sends more parts at the same time as long as that is faster, up to six", () => {
  const { limit, sendWindow } = aLine((parts) => parts);
  expect(limit.current()).toBe(4);
  expect([sendWindow(), sendWindow(), sendWindow(), sendWindow()]).toEqual([5, 6, 6, 6]);
});

test("goes back to four, and tries again only later, where more parts are not faster", () => {
  const { sendWindow } = aLine(() => 4);
  const limits = Array.from({ length: 9 }, sendWindow);
  expect(limits).toEqual([5, 4, 4, 4, 4, 4, 4, 5, 4]);
});

test("sends half as many parts when they stall, and at least one", () => {
  const { limit, sendWindow } = aLine(() => 4);
  limit.slowDown();
  expect(limit.current()).toBe(2);
  expect(sendWindow()).toBe(2);
  for (let time = 0; time < 3; time++) limit.slowDown();
  expect(limit.current()).toBe(1);
});
