/** Bytes that no two places of a file, and no two seeds, share: a lost, doubled or swapped piece would show. */
export function bytesOf(seed: string, sizeBytes: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(sizeBytes / 4));
  let state = 2_166_136_261;
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 16_777_619);
  for (let at = 0; at < words.length; at++) {
    // A generator of Marsaglia's: full period, and quick enough for megabytes.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  return new Uint8Array(words.buffer, 0, sizeBytes);
}
