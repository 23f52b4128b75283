import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { generateApiKey, hashApiKey, isWellFormedApiKey, toStoredApiKey } from "./api-key.js";

describe("an API key", () => {
  test("has stow_live_, 43 base62 digits and 6 checksum digits", () => {
    const key = generateApiKey(randomBytes);
    expect(key).toMatch(/^stow_live_[0-9A-Za-z]{49}$/);
    expect(isWellFormedApiKey(key)).toBe(true);
  });

  test("depends only on its random bytes, and has the CRC-32 of zip and PNG as its checksum", () => {
    const zeros = generateApiKey((size) => new Uint8Array(size));
    expect(zeros).toBe(`stow_live_${"0".repeat(43)}3OMbdW`);
    expect(generateApiKey((size) => new Uint8Array(size).fill(255))).toMatch(/^stow_live_[0-9A-Za-z]{49}$/);
  });

  test("is not well-formed with one character changed, lost or added", () => {
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

  test("is stored as its SHA-256, its start and its end", () => {
    const key = generateApiKey(randomBytes);
    const stored = toStoredApiKey(key);
    expect(stored).toEqual({
      apiKeyHash: createHash("sha256").update(key).digest("hex"),
      apiKeyStart: key.slice(0, 14),
      apiKeyLast4: key.slice(-4),
    });
    expect(hashApiKey(key)).toBe(stored.apiKeyHash);
  });
});
