import { expect, test, vi } from "vitest";
import { formatBytes } from "./format-bytes.js";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1023, "1,023 bytes"],
  [1024, "1 kB"],
  [1536, "1.5 kB"],
  [512.4 * 1024, "512 kB"],
  [10 * 1024 ** 2, "10 MB"],
  [4.2 * 1024 ** 3, "4.2 GB"],
  [1024 ** 4, "1 TB"],
  [1024 ** 5, "1 PB"],
  [2048 * 1024 ** 5, "2,048 PB"],
])("formats %d bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes, "en")).toBe(text);
});

test.each([
  [1_048_575, "1 MB"],
  [1023.6 * 1024, "1 MB"],
  [1023.4 * 1024, "1,023 kB"],
  [1024 ** 3 - 1, "1 GB"],
])("never prints 1,024 of a unit: %d bytes are %s", (bytes, text) => {
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
  for (let bytes = 1; bytes < 1000; bytes++) {
    formatBytes(bytes, "pt");
  }
  expect(make).toHaveBeenCalledTimes(2);
  make.mockRestore();
});
