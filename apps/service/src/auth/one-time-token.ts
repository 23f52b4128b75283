import { createHash, timingSafeEqual } from "node:crypto";
import type { RandomBytes } from "#lib/random.js";

/** 256 random bits for a link that works once. Only its hash is kept. */
export function makeToken(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(32)).toString("base64url");
}

/** Hex SHA-256: a plain hash is enough for what cannot be guessed. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** In a time that does not tell where they differ. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
