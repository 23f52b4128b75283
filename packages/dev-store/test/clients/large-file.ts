import { randomBytes } from "node:crypto";
import { open } from "node:fs/promises";

const BLOCK_BYTES = 1024 ** 2;
/** Clients upload files of this size in parts. The last part of every part size is shorter than the others. */
export const LARGE_BYTES = 300 * BLOCK_BYTES + 12_345;

/** Writes a file of 300 MiB in which no two blocks are equal, so a lost, repeated or moved part is seen. */
export async function writeLargeFile(path: string): Promise<void> {
  const block = randomBytes(BLOCK_BYTES);
  const file = await open(path, "wx");
  try {
    for (let position = 0; position < LARGE_BYTES; position += BLOCK_BYTES) {
      block.writeDoubleBE(position);
      await file.write(block, 0, Math.min(BLOCK_BYTES, LARGE_BYTES - position), position);
    }
  } finally {
    await file.close();
  }
}

/** Returns true if two files have the same content. */
export async function isSameContent(left: string, right: string): Promise<boolean> {
  const files = [await open(left), await open(right)] as const;
  try {
    const blocks = files.map(() => Buffer.allocUnsafe(BLOCK_BYTES)) as [Buffer, Buffer];
    for (;;) {
      const [a, b] = await Promise.all([files[0].read(blocks[0]), files[1].read(blocks[1])]);
      const isEqual = blocks[0].subarray(0, a.bytesRead).equals(blocks[1].subarray(0, b.bytesRead));
      if (!isEqual || a.bytesRead === 0) return isEqual;
    }
  } finally {
    for (const file of files) await file.close();
  }
}
