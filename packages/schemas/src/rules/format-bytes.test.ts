import { expect, test, vi } from "vitest";
import { formatBytes } from "./format-bytes.js";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1 kB"],
  [1536, "1.5 kB"],
  [512_400, "512 kB"],
  [10_000_000, "10 MB"],
  [4.2e9, "4.2 GB"],
  [5 * 1024 ** 3, "5.4 GB"],
  [1e12, "1 TB"],
  [1e15, "1 PB"],
  [2e18, "2,000 PB"],
])("formats %d bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes, "en")).toBe(text);
});

test.each([
  [999_999, "1 MB"],
  [999_600, "1 MB"],
  [999_400, "999 kB"],
  [1e9 - 1, "1 GB"],
])("never prints 1,000 of a unit: %d bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes, "en")).toBe(text);
});

test("uses the digits and units of the locale", () => {
  expect(formatBytes(1536, "de")).toBe("1,5 kB");
});

test("formats a speed in bytes per second", () => {
  expect(formatBytes(1536, "en", "-per-second")).toBe("1.5 kB/s");
});

test("makes each formatter once", () => {
  const { NumberFormat } = Intl;
  const make = vi.spyOn(Intl, "NumberFormat").mockImplementation(function (...args) {
    return new NumberFormat(...args);
  });
  for (let bytes = 1; bytes < 999; bytes++) {
    formatBytes(bytes, "pt");
  }
  expect(make).toHaveBeenCalledTimes(2);
  make.mockRestore();
});
