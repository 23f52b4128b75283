import { describe, expect, test } from "vitest";
import { base62 } from "./base62.js";
import { pooledRandomBytes, randomRef } from "./random.js";

test("a ref is 16 bytes as 22 base62 digits", () => {
  expect(randomRef(() => new Uint8Array(16).fill(255))).toBe("7n42DGM5Tflk9n8mt7Fhc7");
  expect(randomRef(() => new Uint8Array(16))).toBe("0".repeat(22));
});

test("a pool returns each byte of its source once, and reads the source in large blocks", () => {
  const sizes: number[] = [];
  let next = 0;
  const bytes = pooledRandomBytes((size) => {
    sizes.push(size);
    return Uint8Array.from({ length: size }, () => next++ % 251);
  });
  const read = Array.from({ length: 400 }, () => [...bytes(16)]).flat();
  // 4,096 is a multiple of 16, so no byte is left over between two blocks.
  expect(read).toEqual(Array.from({ length: 6400 }, (_, index) => index % 251));
  expect(bytes(5000)).toHaveLength(5000);
  expect(sizes).toEqual([4096, 4096, 5000]);
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
