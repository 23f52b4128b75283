import { createHash, timingSafeEqual } from "node:crypto";
import type { RandomBytes } from "#lib/random.js";

/** Creates a token of 256 random bits for a link that works once. Store only its hash. */
export function createToken(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(32)).toString("base64url");
}

/** Returns the SHA-256 of a token in hex. A token is random, so the hash needs no salt and no slow function. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Compares in constant time. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
