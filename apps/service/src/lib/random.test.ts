import { describe, expect, test } from "vitest";
import { base62 } from "./base62.js";
import { pooledRandomBytes, randomRef } from "./random.js";

describe("bytes drawn in pieces", () => {
  /** Counts up, so that bytes tell where they come from. */
  const counting = () => {
    let next = 0;
    const asked: number[] = [];
    const draw = (size: number) => {
      asked.push(size);
      return Uint8Array.from({ length: size }, () => next++ % 251);
    };
    return { draw, asked };
  };

  test("are each given once, in their order", () => {
    const { draw, asked } = counting();
    const random = pooledRandomBytes(draw);
    const given = Array.from({ length: 1000 }, () => [...random(16)]).flat();
    const expected = Array.from({ length: asked.length }, (_, piece) =>
      Array.from({ length: 4096 }, (_, at) => (piece * 4096 + at) % 251),
    ).flat();
    expect(given).toEqual(expected.slice(0, given.length));
    expect(asked.length).toBe(4);
  });

  test("leave none out of a length that does not divide a piece", () => {
    const { draw } = counting();
    const random = pooledRandomBytes(draw);
    for (let at = 0; at < 500; at++) expect(random(48)).toHaveLength(48);
  });

  test("may be more than a piece", () => {
    const { draw, asked } = counting();
    expect(pooledRandomBytes(draw)(10_000)).toHaveLength(10_000);
    expect(asked).toEqual([10_000]);
  });
});

test("a ref is 22 base62 digits of 16 bytes", () => {
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
