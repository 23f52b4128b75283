import { expect, test } from "vitest";
import { byteTicks } from "./byte-ticks.js";
import { formatBytes } from "./format.js";

test.each([
  [0, ["0 bytes", "1 byte"]],
  [3, ["0 bytes", "1 byte", "2 bytes", "3 bytes"]],
  [999, ["0 bytes", "200 bytes", "400 bytes", "600 bytes", "800 bytes", "1 kB"]],
  [1.1e9, ["0 bytes", "500 MB", "1 GB", "1.5 GB"]],
  [3.4e9, ["0 bytes", "1 GB", "2 GB", "3 GB", "4 GB"]],
  [999e6, ["0 bytes", "200 MB", "400 MB", "600 MB", "800 MB", "1 GB"]],
])("an axis for %d bytes has round ticks and reaches the largest value", (maxBytes, expected) => {
  const ticks = byteTicks(maxBytes);
  expect(ticks.map(formatBytes)).toEqual(expected);
  expect(ticks.at(-1)).toBeGreaterThanOrEqual(maxBytes);
});
