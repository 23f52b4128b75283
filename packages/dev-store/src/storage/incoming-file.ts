import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { startMd5OnThread } from "../md5/md5-on-thread.js";
import { startMd5 } from "../md5/running-md5.js";
import { sealOf } from "./sealed-file.js";
import { renameDurably } from "./write-durably.js";

/** A file on its way in: invisible until it is sealed and moved to its place in one rename. */
export interface IncomingFile {
  /** Takes a copy of the bytes. Returns a promise when disk or hash are behind; wait for it before the next call. */
  write(chunk: Buffer): Promise<void> | void;
  /** Ends the data. @returns its MD5 */
  end(): Promise<Buffer>;
  /** Appends the record to data that has ended, and syncs the whole to disk. */
  seal(record: object): Promise<void>;
  /** Gives the sealed file its final name, durably. */
  moveTo(path: string): Promise<void>;
}

/** Larger ones leave the processor's caches between being filled, written and hashed. */
const BLOCK_BYTES = 512 * 1024;
/** One filling, one being written, one being hashed, and the others to make up for whoever of them is late. */
const BLOCKS = 12;
/** From here on hashing is worth a thread of its own. */
const MIN_BYTES_FOR_THREAD = 4 * BLOCK_BYTES;
/** What may wait in the page cache before the disk is asked to begin: less is left to do when the last byte has come. */
const SYNC_STEP_BYTES = 64 * 1024 ** 2;

/**
 * Lends an incoming file and leaves nothing of it behind unless it was moved to its place.
 *
 * A few blocks take turns, one filling while others are written and hashed: memory stays the same however long the file.
 */
export async function withIncomingFile<T>(
  incomingDir: string,
  expectedBytes: number,
  use: (file: IncomingFile) => Promise<T>,
): Promise<T> {
  const path = join(incomingDir, randomUUID());
  const blockBytes = Math.max(1, Math.min(BLOCK_BYTES, expectedBytes));
  const file = await open(path, "wx");
  const md5 = expectedBytes >= MIN_BYTES_FOR_THREAD ? startMd5OnThread() : startMd5();
  let filling = Buffer.from(new ArrayBuffer(blockBytes));
  let used = 0;
  let position = 0;
  let written = Promise.resolve();
  let syncing: Promise<unknown> | undefined;
  let syncedTo = 0;
  let isMoved = false;
  /** Blocks that are being written and hashed, in order; each comes back to be filled again. */
  const passing: Promise<ArrayBuffer>[] = [];

  const pass = (block: Buffer<ArrayBuffer>, bytes: number, at: number): Promise<ArrayBuffer> => {
    written = written.then(() => writeAll(file, block.subarray(0, bytes), at));
    const passed = written.then(() => md5.update(block.buffer, bytes));
    passed.catch(() => {}); // seen by whoever awaits it next; unhandled it would end the process
    return passed;
  };
  const syncAhead = (): void => {
    if (syncing || position - syncedTo < SYNC_STEP_BYTES) return;
    syncedTo = position;
    // Should it fail, so does the sync at the end.
    syncing = file.datasync().then(
      () => (syncing = undefined),
      () => (syncing = undefined),
    );
  };
  const flush = async (): Promise<void> => {
    passing.push(pass(filling, used, position));
    position += used;
    used = 0;
    syncAhead();
    const free = passing.length < BLOCKS ? new ArrayBuffer(blockBytes) : await passing.shift()!;
    filling = Buffer.from(free);
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
      async end() {
        passing.push(pass(filling, used, position));
        position += used;
        await Promise.all(passing);
        return await md5.digest();
      },
      async seal(record) {
        await writeAll(file, sealOf(record), position);
        await file.sync();
      },
      async moveTo(finalPath) {
        await renameDurably(path, finalPath);
        isMoved = true;
      },
    });
  } finally {
    await Promise.allSettled([...passing, syncing]);
    md5.close();
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
