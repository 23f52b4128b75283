import { describe, expect, test } from "vitest";
import { base62 } from "./base62.js";
import { randomRef } from "./random.js";

test("a ref is 16 bytes as 22 base62 digits", () => {
  expect(randomRef(() => new Uint8Array(16).fill(255))).toBe("7n42DGM5Tflk9n8mt7Fhc7");
  expect(randomRef(() => new Uint8Array(16))).toBe("0".repeat(22));
});

describe("base62", () => {
  test("writes the digits of any number", () => {
    for (const value of [0n, 61n, 62n, 62n ** 8n - 1n, 62n ** 8n, 2n ** 128n - 1n]) {
      const bytes = Buffer.from(value.toString(16).padStart(32, "0"), "hex");
      let number = 0n;
      for (const digit of base62(bytes, 22)) number = number * 62n + BigInt(valueOf(digit));
      expect(number).toBe(value);
    }
  });

  test("refuses a number that does not fit", () => {
    expect(() => base62(Uint8Array.of(62), 1)).toThrow(RangeError);
    expect(() => base62(new Uint8Array(16).fill(255), 16)).toThrow(RangeError);
    expect(base62(Uint8Array.of(61), 1)).toBe("z");
  });
});

function valueOf(digit: string): number {
  return "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".indexOf(digit);
}
