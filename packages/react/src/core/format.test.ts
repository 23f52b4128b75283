import { expect, it, vi } from "vitest";
import { formatBytes, formatPercent } from "./format.js";

it("writes bytes as people read them", () => {
  const sizes = [0, 1, 999, 1024, 1536, 10 * 1024 ** 2, 4.2 * 1024 ** 3, 1024 ** 2 - 1];
  expect(sizes.map((size) => formatBytes(size, "en"))).toEqual([
    "0 bytes",
    "1 byte",
    "999 bytes",
    "1 kB",
    "1.5 kB",
    "10 MB",
    "4.2 GB",
    "1 MB",
  ]);
  expect(formatBytes(1536, "de")).toBe("1,5 kB");
});

it("never rounds up to 100%", () => {
  expect([0, 0.456, 0.999, 1].map((share) => formatPercent(share, "en"))).toEqual([
    "0%",
    "45%",
    "99%",
    "100%",
  ]);
});

it("makes each format once, however often it is used", () => {
  const { NumberFormat } = Intl;
  const make = vi.spyOn(Intl, "NumberFormat").mockImplementation(function (...args) {
    return new NumberFormat(...args);
  });
  for (let bytes = 1; bytes < 1000; bytes++) formatBytes(bytes, "pt");
  expect(make).toHaveBeenCalledTimes(2);
  make.mockRestore();
});
