import { base62 } from "./base62.js";

/** A source of random bytes: that of `node:crypto`, or a seeded one in a test. */
export type RandomBytes = (size: number) => Uint8Array;

/** Returns 128 random bits as 22 base62 digits: unguessable, safe in a path, and unique for all practical purposes. */
export function randomRef(randomBytes: RandomBytes): string {
  return base62(randomBytes(16), 22);
}
