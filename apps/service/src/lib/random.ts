import { base62 } from "./base62.js";

/** Where randomness comes from: `node:crypto`'s, or a seeded one in a test. */
export type RandomBytes = (size: number) => Uint8Array;

/** 128 random bits as 22 base62 digits: opaque, safe in a path, and never two alike. */
export function randomRef(randomBytes: RandomBytes): string {
  return base62(randomBytes(16), 22);
}

const POOL_BYTES = 4096;

/** The same bytes, drawn in large pieces: asking for sixteen costs as much as asking for thousands. */
export function pooledRandomBytes(randomBytes: RandomBytes): RandomBytes {
  let pool: Uint8Array = new Uint8Array(0);
  return (size) => {
    if (size > POOL_BYTES) return randomBytes(size);
    if (size > pool.length) pool = randomBytes(POOL_BYTES);
    const drawn = pool.subarray(0, size);
    pool = pool.subarray(size);
    return drawn;
  };
}
