import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { base62 } from "#lib/base62.js";
import type { RandomBytes } from "#lib/random.js";

const PREFIX = "stow_live_";
const SECRET_DIGITS = 43; // 62^43 > 2^256
const CHECKSUM_DIGITS = 6; // 62^6 > 2^32
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);

/** What is stored of a key: enough to recognise it, not enough to use it. */
export interface StoredApiKey {
  apiKeyHash: string;
  apiKeyStart: string;
  apiKeyLast4: string;
}

/**
 * Makes a key of `stow_live_`, 256 random bits and the CRC-32 of both. Because of the checksum a mistyped key is refused without a
 * query. A secret scanner finds leaked keys by the prefix and confirms them by the checksum.
 */
export function generateApiKey(randomBytes: RandomBytes): string {
  const unchecked = PREFIX + base62(randomBytes(32), SECRET_DIGITS);
  return unchecked + checksum(unchecked);
}

export function isWellFormedApiKey(key: string): boolean {
  return SHAPE.test(key) && checksum(key.slice(0, -CHECKSUM_DIGITS)) === key.slice(-CHECKSUM_DIGITS);
}

/** Hex SHA-256. A key has 256 random bits and cannot be guessed, so a slow password hash is not needed. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

export function toStoredApiKey(key: string): StoredApiKey {
  return {
    apiKeyHash: hashApiKey(key),
    apiKeyStart: key.slice(0, PREFIX.length + 4),
    apiKeyLast4: key.slice(-4),
  };
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base62(bytes, CHECKSUM_DIGITS);
}
