import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/**
 * A sealed file contains the data, then a JSON record about it, then an eight-byte footer: the length of the record and a
 * magic number. One rename makes data and record visible together. The data begins at offset 0.
 */
const MAGIC = "SEA1";
const FOOTER_BYTES = 8;
/** A record has a key, eight headers, 2 KB of metadata and the sizes of 10,000 parts at most. */
const MAX_RECORD_BYTES = 512 * 1024;
/** Long enough for nearly every record, so one read is usually enough. */
const TAIL_BYTES = 4096;
const BLOCK_BYTES = 512 * 1024;

export interface SealedFile<Rec> {
  readonly file: FileHandle;
  readonly sizeBytes: number;
  readonly record: Rec;
}

export interface ByteRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

export function footerOf(record: object): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  if (json.length > MAX_RECORD_BYTES)
    throw new Error(`A record of ${json.length} bytes is too long to seal.`);
  const footer = Buffer.alloc(FOOTER_BYTES);
  footer.writeUInt32BE(json.length);
  footer.write(MAGIC, 4, "latin1");
  return Buffer.concat([json, footer]);
}

/**
 * Opens a sealed file, or returns undefined if it does not exist. The handle reads the old bytes even after another file has
 * taken the name. The caller closes it.
 */
export async function openSealed<Rec>(path: string): Promise<SealedFile<Rec> | undefined> {
  const file = await open(path, "r").catch(ignoreMissing);
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    await file.read(tail, 0, tail.length, size - tail.length);
    const recordBytes = recordLength(tail, size, path);
    const sizeBytes = size - FOOTER_BYTES - recordBytes;
    let json = tail.subarray(0, -FOOTER_BYTES);
    if (json.length < recordBytes) {
      json = Buffer.alloc(recordBytes);
      await file.read(json, 0, recordBytes, sizeBytes);
    }
    return { file, sizeBytes, record: parse<Rec>(json.subarray(json.length - recordBytes)) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads only the record, synchronously: a start reads thousands in a row, and the thread pool would make that slower. */
export function readRecordSync<Rec>(path: string): { record: Rec; sizeBytes: number } {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const footer = Buffer.alloc(Math.min(size, FOOTER_BYTES));
    readSync(fd, footer, 0, footer.length, size - footer.length);
    const recordBytes = recordLength(footer, size, path);
    const sizeBytes = size - FOOTER_BYTES - recordBytes;
    const json = Buffer.alloc(recordBytes);
    readSync(fd, json, 0, recordBytes, sizeBytes);
    return { record: parse<Rec>(json), sizeBytes };
  } finally {
    closeSync(fd);
  }
}

/**
 * Yields the data of a sealed file in blocks. It reuses one buffer: copy a block to keep it.
 *
 * @param range a part of the data. @default all of it
 */
export async function* readBlocks(
  { file, sizeBytes }: SealedFile<unknown>,
  { first, last }: ByteRange = { first: 0, last: sizeBytes - 1 },
): AsyncGenerator<Buffer, void, undefined> {
  const block = Buffer.allocUnsafeSlow(Math.max(1, Math.min(BLOCK_BYTES, last - first + 1)));
  for (let position = first; position <= last;) {
    const wanted = Math.min(block.length, last - position + 1);
    const { bytesRead } = await file.read(block, 0, wanted, position);
    if (bytesRead === 0) throw new Error("A stored file is shorter than its record says.");
    position += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}

function recordLength(tail: Buffer, fileBytes: number, path: string): number {
  const footer = tail.subarray(-FOOTER_BYTES);
  if (footer.length === FOOTER_BYTES && footer.toString("latin1", 4) === MAGIC) {
    const length = footer.readUInt32BE();
    if (length <= MAX_RECORD_BYTES && length <= fileBytes - FOOTER_BYTES) return length;
  }
  throw new Error(`${path} is not a file of this store, or another program changed it.`);
}

// Only this store writes these files, so the record has the type that belongs to the path.
function parse<Rec>(json: Buffer): Rec {
  return JSON.parse(json.toString("utf8")) as Rec;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
