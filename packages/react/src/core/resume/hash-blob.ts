/** A hash that gets its bytes piece by piece. */
export interface Hash {
  update(bytes: Uint8Array): unknown;
  /** In lower-case hex. */
  digestHex(): string;
}

/** Small enough that hashing one slice on the main thread delays no frame. */
const SLICE_BYTES = 256 * 1024;

/** @throws the browser's error if the file cannot be read any more */
export async function hashBlob(blob: Blob, hash: Hash): Promise<string> {
  for (let start = 0; start < blob.size; start += SLICE_BYTES) {
    hash.update(new Uint8Array(await blob.slice(start, start + SLICE_BYTES).arrayBuffer()));
  }
  return hash.digestHex();
}
