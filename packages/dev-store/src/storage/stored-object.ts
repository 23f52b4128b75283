import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { partFile } from "./layout.js";
import { type ObjectRecord, type PartSize, totalBytes } from "./object-records.js";
import { type ByteRange, readBlocks, type SealedFile } from "./sealed-file.js";

/** An open object. Its data stays readable after another object has taken its key, or after it was deleted. */
export interface StoredObject {
  readonly record: ObjectRecord;
  readonly sizeBytes: number;
  /**
   * Yields the data in blocks. It reuses one buffer: copy a block to keep it.
   *
   * @param range a part of the data. @default all of it
   */
  blocks(range?: ByteRange): AsyncGenerator<Buffer, void, undefined>;
  /** Streams the data. The stream closes the object, also when it is destroyed before its end. */
  stream(range: ByteRange): Readable;
  close(): Promise<void>;
}

const READ_BYTES = 512 * 1024;

/** An object whose data is in its own file. */
export function objectInFile(sealed: SealedFile<ObjectRecord>): StoredObject {
  const { file, record, sizeBytes } = sealed;
  return {
    record,
    sizeBytes,
    blocks: (range) => readBlocks(sealed, range),
    stream: ({ first, last }) =>
      file.createReadStream({ start: first, end: last, highWaterMark: READ_BYTES }),
    close: () => file.close(),
  };
}

/**
 * An object whose data are the parts of a completed multipart upload. Each part is opened when it is read, because there may be
 * 10,000.
 *
 * @param dir the folder of the parts
 * @param release ends the lease that keeps this folder
 */
export function objectInParts(
  record: ObjectRecord & { parts: readonly PartSize[] },
  { dir, release }: { dir: string; release: () => void },
): StoredObject {
  const sizeBytes = totalBytes(record.parts);
  return {
    record,
    sizeBytes,
    async *blocks(range = { first: 0, last: sizeBytes - 1 }) {
      for (const piece of piecesOf(record.parts, range)) {
        const file = await open(partFile(dir, piece.partNumber), "r");
        try {
          yield* readBlocks({ file, sizeBytes: piece.sizeBytes, record }, piece);
        } finally {
          await file.close();
        }
      }
    },
    stream(range) {
      const body = Readable.from(streamParts(dir, record.parts, range), {
        objectMode: false,
        highWaterMark: READ_BYTES,
      });
      return body.once("close", release);
    },
    close: async () => release(),
  };
}

async function* streamParts(
  dir: string,
  parts: readonly PartSize[],
  range: ByteRange,
): AsyncGenerator<Buffer, void, undefined> {
  for (const { partNumber, first, last } of piecesOf(parts, range)) {
    const file = await open(partFile(dir, partNumber), "r");
    // The stream closes the file.
    yield* file.createReadStream({ start: first, end: last, highWaterMark: READ_BYTES });
  }
}

interface Piece extends ByteRange {
  readonly partNumber: number;
  /** Of the whole part. */
  readonly sizeBytes: number;
}

/** Yields what a range of the object is in each part. */
function* piecesOf(parts: readonly PartSize[], range: ByteRange): Generator<Piece> {
  let start = 0;
  for (const [partNumber, sizeBytes] of parts) {
    const first = Math.max(range.first - start, 0);
    const last = Math.min(range.last - start, sizeBytes - 1);
    if (first <= last) yield { partNumber, sizeBytes, first, last };
    start += sizeBytes;
    if (start > range.last) return;
  }
}
