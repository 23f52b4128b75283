import { expect, test } from "vitest";
import { formatDuration, formatPercent } from "./format.js";

test("shows 100% only for a finished upload", () => {
  const shares = [0, 0.456, 0.999, 1];
  expect(shares.map((share) => formatPercent(share, "en"))).toEqual(["0%", "45%", "99%", "100%"]);
});

test.each([
  [0, "1 sec"],
  [1_001, "2 sec"],
  [59_000, "59 sec"],
  [61_000, "2 min"],
  [3_600_000, "1 hr"],
  [3_601_000, "2 hr"],
])("rounds %d ms left up to %s", (durationMs, text) => {
  expect(formatDuration(durationMs, "en")).toBe(text);
});
