import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { footerOf } from "./sealed-file.js";
import { renameDurably } from "./write-durably.js";

/** A file that is being received. Readers do not see it until it is sealed and moved to its final path. */
export interface IncomingFile {
  /** Appends bytes. Wait for the promise before the next call. */
  write(chunk: Buffer): Promise<void>;
  /** Ends the data. @returns the MD5 of the bytes that were written */
  end(): Promise<Buffer>;
  /** Appends the record to data that has ended, and syncs the file to disk. */
  seal(record: object): Promise<void>;
  /** Renames the sealed file to its final path, durably. */
  moveTo(path: string): Promise<void>;
}

/** Creates an incoming file for the duration of `use`, and removes it afterwards unless it was moved. */
export async function withIncomingFile<T>(
  incomingDir: string,
  use: (file: IncomingFile) => Promise<T>,
): Promise<T> {
  const path = join(incomingDir, randomUUID());
  const file = await open(path, "wx");
  const md5 = createHash("md5");
  let sizeBytes = 0;
  let isMoved = false;
  try {
    return await use({
      async write(chunk) {
        md5.update(chunk);
        if (!isZeros(chunk)) await writeAll(file, chunk, sizeBytes);
        sizeBytes += chunk.length;
      },
      end: async () => md5.digest(),
      async seal(record) {
        await writeAll(file, footerOf(record), sizeBytes);
        await file.sync();
      },
      async moveTo(finalPath) {
        await renameDurably(path, finalPath);
        isMoved = true;
      },
    });
  } finally {
    await file.close();
    if (!isMoved) await rm(path, { force: true });
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, offset, bytes.length - offset, position + offset);
    offset += bytesWritten;
  }
}

const ZEROS = Buffer.alloc(512 * 1024);

/** Zeros are not written: the file gets a hole, which reads as zeros and takes no space. So a test can upload a file of 20 GiB. */
function isZeros(chunk: Buffer): boolean {
  return chunk.length <= ZEROS.length && chunk[0] === 0 && chunk.equals(ZEROS.subarray(0, chunk.length));
}
