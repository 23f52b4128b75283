import { expect, test } from "vitest";
import { lanes, limitsOf } from "./lanes.js";

const connectionsOf = (poolSize: number) =>
  lanes.map((lane) => limitsOf(lane, { poolSize, timeoutMs: 1000 }).connections);

test("the lanes share the connections, and every lane has one", () => {
  expect(connectionsOf(14)).toEqual([4, 3, 3, 2, 1, 1]);
  expect(connectionsOf(1)).toEqual([1, 1, 1, 1, 1, 1]);
  for (let poolSize = 6; poolSize <= 200; poolSize++) {
    const all = connectionsOf(poolSize).reduce((sum, count) => sum + count, 0);
    expect(all).toBeLessThanOrEqual(Math.max(poolSize, lanes.length + 2));
  }
});

test("one owner leaves a connection to the others, and most of the places in the queue", () => {
  const limits = limitsOf("upload", { poolSize: 14, timeoutMs: 1000 });
  expect(limits).toMatchObject({ connections: 4, maxRunningPerOwner: 3, timeoutMs: 1000 });
  expect(limits.maxWaitingPerOwner * 4).toBeLessThanOrEqual(limits.maxWaiting);
});

test("each lane lets one owner wait with 200 statements at once, and has places for others", () => {
  for (const poolSize of [1, 14, 100]) {
    for (const lane of lanes) {
      const { maxWaiting, maxWaitingPerOwner } = limitsOf(lane, { poolSize, timeoutMs: 1000 });
      expect(maxWaitingPerOwner).toBeGreaterThanOrEqual(200);
      expect(maxWaitingPerOwner * 4).toBeLessThanOrEqual(maxWaiting);
    }
  }
});
