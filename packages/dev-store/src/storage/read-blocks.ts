import type { SealedFile } from "./sealed-file.js";

const BLOCK_BYTES = 512 * 1024;

/** The data of a sealed file, block by block in one buffer that is used again: copy what must last. */
export async function* readBlocks({
  file,
  sizeBytes,
}: SealedFile<unknown>): AsyncGenerator<Buffer, void, undefined> {
  const block = Buffer.allocUnsafeSlow(Math.max(1, Math.min(BLOCK_BYTES, sizeBytes)));
  for (let position = 0; position < sizeBytes;) {
    const wanted = Math.min(block.length, sizeBytes - position);
    const { bytesRead } = await file.read(block, 0, wanted, position);
    if (bytesRead === 0) throw new Error("A stored file is shorter than its record says.");
    position += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}
