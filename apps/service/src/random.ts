import { base62 } from "./base62.js";

/** Where randomness comes from: `node:crypto`'s, or a seeded one in a test. */
export type RandomBytes = (size: number) => Uint8Array;

/** 128 random bits as 22 base62 digits: opaque, safe in a path, and never two alike. */
export function randomRef(randomBytes: RandomBytes): string {
  return base62(randomBytes(16), 22);
}
