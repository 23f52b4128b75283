import { base62 } from "./base62.js";

/** A source of random bytes: `node:crypto`, or a seeded one in a test. */
export type RandomBytes = (size: number) => Uint8Array;

/** Returns 128 random bits as 22 base62 digits: unguessable, safe in a path, and unique for all practical purposes. */
export function randomRef(randomBytes: RandomBytes): string {
  return base62(randomBytes(16), 22);
}

const POOL_BYTES = 4096;

/**
 * Returns the same random bytes, but reads them from `randomBytes` in blocks of 4,096. Each byte is returned once.
 *
 * An upload needs 16 bytes twice. `randomBytes(16)` costs as much as `randomBytes(4096)`, and its memory outside of the heap makes
 * garbage collection slower: without this pool an upload takes 12 % more of the service's CPU (lab/bench/notes.md, "upload").
 */
export function pooledRandomBytes(randomBytes: RandomBytes): RandomBytes {
  let pool: Uint8Array = new Uint8Array(0);
  return (size) => {
    if (size > POOL_BYTES) return randomBytes(size);
    if (size > pool.length) pool = randomBytes(POOL_BYTES);
    const bytes = pool.subarray(0, size);
    pool = pool.subarray(size);
    return bytes;
  };
}
