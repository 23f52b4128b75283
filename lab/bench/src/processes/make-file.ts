import { randomBytes } from "node:crypto";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RowTools } from "../row.js";

const BLOCK_BYTES = 1024 ** 2;

/** Creates a folder that is removed with the row. */
export async function makeFolder({ atEnd }: Pick<RowTools, "atEnd">): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-bench-"));
  atEnd(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Writes an incompressible file of this size and leaves it in the page cache. */
export async function makeFile(path: string, mebibytes: number): Promise<void> {
  const file = await open(path, "w");
  try {
    const block = randomBytes(BLOCK_BYTES);
    for (let number = 0; number < mebibytes; number++) {
      block.writeUInt32LE(number);
      await file.write(block);
    }
    // Otherwise the disk would be busy during the measurement.
    await file.sync();
  } finally {
    await file.close();
  }
}
