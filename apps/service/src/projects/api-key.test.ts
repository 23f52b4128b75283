import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { generateApiKey, hashApiKey, isWellFormedApiKey, keepApiKey } from "./api-key.js";

describe("an API key", () => {
  test("is stow_live_, 43 base62 digits and 6 of checksum", () => {
    const key = generateApiKey(randomBytes);
    expect(key).toMatch(/^stow_live_[0-9A-Za-z]{49}$/);
    expect(isWellFormedApiKey(key)).toBe(true);
  });

  test("is the same for the same randomness: its checksum is CRC-32 as zip and PNG have it", () => {
    const zeros = generateApiKey((size) => new Uint8Array(size));
    expect(zeros).toBe(`stow_live_${"0".repeat(43)}3OMbdW`);
    expect(generateApiKey((size) => new Uint8Array(size).fill(255))).toMatch(/^stow_live_[0-9A-Za-z]{49}$/);
  });

  test("is refused with any one character changed, two swapped, one lost or one added", () => {
    const key = generateApiKey(randomBytes);
    for (let at = 10; at < key.length; at++) {
      const other = key[at] === "x" ? "y" : "x";
      expect(isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
    expect(isWellFormedApiKey(key.slice(0, -1))).toBe(false);
    expect(isWellFormedApiKey(`${key}0`)).toBe(false);
    expect(isWellFormedApiKey(key.toUpperCase())).toBe(false);
    expect(isWellFormedApiKey("")).toBe(false);
  });

  test("is kept as its SHA-256, its start and its end", () => {
    const key = generateApiKey(randomBytes);
    const kept = keepApiKey(key);
    expect(kept).toEqual({
      apiKeyHash: createHash("sha256").update(key).digest("hex"),
      apiKeyStart: key.slice(0, 14),
      apiKeyLast4: key.slice(-4),
    });
    expect(hashApiKey(key)).toBe(kept.apiKeyHash);
  });
});
