import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { sealOf } from "./sealed-file.js";
import { renameDurably } from "./write-durably.js";

/** A file on its way in: invisible until it is sealed and moved to its place in one rename. */
export interface IncomingFile {
  /** Takes a copy of the bytes. Returns a promise when the disk is behind; wait for it before the next call. */
  write(chunk: Buffer): Promise<void> | void;
  /** Ends the data, appends the record, and syncs the whole to disk. */
  seal(record: object): Promise<void>;
  /** Gives the sealed file its final name, durably. */
  moveTo(path: string): Promise<void>;
}

const BLOCK_BYTES = 512 * 1024;

/**
 * Lends an incoming file and leaves nothing of it behind unless it was moved to its place.
 *
 * Two blocks take turns, one filling while the other is written: memory stays the same however long the file.
 */
export async function withIncomingFile<T>(
  incomingDir: string,
  expectedBytes: number,
  use: (file: IncomingFile) => Promise<T>,
): Promise<T> {
  const path = join(incomingDir, randomUUID());
  const blockBytes = Math.max(1, Math.min(BLOCK_BYTES, expectedBytes));
  const file = await open(path, "wx");
  let filling = Buffer.allocUnsafeSlow(blockBytes);
  let spare: Buffer<ArrayBuffer> | undefined;
  let used = 0;
  let position = 0;
  let writing: Promise<void> = Promise.resolve();
  let isMoved = false;

  const flush = async (): Promise<void> => {
    await writing;
    const full = filling.subarray(0, used);
    writing = writeAll(file, full, position);
    writing.catch(() => {}); // seen by whoever awaits it next; unhandled it would end the process
    position += used;
    [filling, spare] = [spare ?? Buffer.allocUnsafeSlow(blockBytes), filling];
    used = 0;
  };
  const spill = async (chunk: Buffer): Promise<void> => {
    for (let at = 0; at < chunk.length;) {
      if (used === blockBytes) await flush();
      const copied = chunk.copy(filling, used, at);
      used += copied;
      at += copied;
    }
  };

  try {
    return await use({
      write(chunk) {
        if (chunk.length > blockBytes - used) return spill(chunk);
        used += chunk.copy(filling, used);
      },
      async seal(record) {
        await flush();
        await writing;
        await writeAll(file, sealOf(record), position);
        await file.sync();
      },
      async moveTo(finalPath) {
        await renameDurably(path, finalPath);
        isMoved = true;
      },
    });
  } finally {
    await writing.catch(() => {});
    await file.close();
    if (!isMoved) await rm(path, { force: true });
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}
