import { expect, test } from "vitest";
import { formatBytes } from "./format.js";

test("prints a size just below 1 MB as 1 MB, not as 1,024 kB", () => {
  expect(formatBytes(1_048_575)).toBe("1 MB");
});
