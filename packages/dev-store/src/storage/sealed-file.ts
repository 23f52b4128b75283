import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/**
 * A sealed file is data, then a record about it as JSON, then eight bytes: the record's length and a mark. Data and
 * record become visible in one rename, and data begins at offset 0.
 */
const MARK = "SEA1";
const FOOTER_BYTES = 8;
/** A record is at most a key, eight headers and 2 KB of metadata, which fit Node's limit on a request's headers. */
const MAX_RECORD_BYTES = 128 * 1024;
/** Enough for nearly every record, so that one read fetches it. */
const TAIL_BYTES = 4096;
const BLOCK_BYTES = 512 * 1024;

export interface SealedFile<Rec> {
  readonly file: FileHandle;
  readonly sizeBytes: number;
  readonly record: Rec;
}

export function footerOf(record: object): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  if (json.length > MAX_RECORD_BYTES)
    throw new Error(`A record of ${json.length} bytes is too long to seal.`);
  const footer = Buffer.alloc(FOOTER_BYTES);
  footer.writeUInt32BE(json.length);
  footer.write(MARK, 4, "latin1");
  return Buffer.concat([json, footer]);
}

/**
 * Opens a sealed file, or returns undefined when there is none. Whoever holds it reads the old bytes whole, even
 * when the name is given to another file meanwhile. The caller closes it.
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

/** The record alone, synchronously: a start reads thousands in a row, where a thread pool only adds time. */
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

function recordLength(tail: Buffer, fileBytes: number, path: string): number {
  const footer = tail.subarray(-FOOTER_BYTES);
  if (footer.length === FOOTER_BYTES && footer.toString("latin1", 4) === MARK) {
    const length = footer.readUInt32BE();
    if (length <= MAX_RECORD_BYTES && length <= fileBytes - FOOTER_BYTES) return length;
  }
  throw new Error(`${path} is not a sealed file of this store: it was changed from outside.`);
}

// Only this module seals, so the shape is what was sealed under that kind of path.
function parse<Rec>(json: Buffer): Rec {
  return JSON.parse(json.toString("utf8")) as Rec;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
