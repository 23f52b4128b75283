import { expect, it } from "vitest";
import { formatBytes } from "./format.js";
import { readSize, writeSize } from "./size-input.js";

it.each([0, 1, 1000, 1024, 1536, 5 * 1024 ** 3, 5 * 1024 ** 3 - 1, 1024 ** 4, 1234567890])(
  "reads %i bytes back as it writes them",
  (bytes) => {
    expect(readSize(writeSize(bytes))).toBe(bytes);
  },
);

it("shows a size as it was typed", () => {
  expect(formatBytes(readSize("5 GB")!)).toBe("5 GB");
  expect(formatBytes(readSize("500mb")!)).toBe("500 MB");
});

it.each(["", "5 apples", "-1 GB", "GB"])('takes "%s" for no size', (text) => {
  expect(readSize(text)).toBeNull();
});
