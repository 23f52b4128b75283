import { createHash } from "node:crypto";
import { countParts, sizeOfPart } from "@stowage/schemas/rules";
import { once, type Source } from "../open-source.js";
import { readChunks } from "../read-chunks.js";
import { splitIntoParts } from "./split-into-parts.js";

/** A part and its MD5. Its bytes can be read several times. */
export interface ReadPart {
  number: number;
  sizeBytes: number;
  /** The 16 bytes. */
  md5: Buffer;
  open(): AsyncIterable<Uint8Array>;
}

export interface PartLayout {
  /** Bytes of the whole file. */
  sizeBytes: number;
  partSizeBytes: number;
}

/**
 * Reads all parts of a source in their order. A part of a stream is in memory until it is dropped. A part of any other source is read
 * here for its MD5, and again to send it: if the file changes between, storage refuses the part.
 *
 * @throws {StowageError} `invalid_request` when the source cannot be read, or does not have the announced size
 * @throws the signal's reason
 */
export function readParts(
  source: Source,
  partSizeBytes: number,
  signal: AbortSignal,
): AsyncGenerator<ReadPart, void, undefined> {
  const layout = { sizeBytes: source.sizeBytes, partSizeBytes };
  return source.isReadableAgain ? readByRange(source, layout, signal) : readStream(source, layout, signal);
}

async function* readByRange(
  source: Source,
  layout: PartLayout,
  signal: AbortSignal,
): AsyncGenerator<ReadPart, void, undefined> {
  const count = countParts(layout.sizeBytes, layout.partSizeBytes);
  for (let number = 1; number <= count; number++) {
    const start = (number - 1) * layout.partSizeBytes;
    const sizeBytes = sizeOfPart(number, layout);
    const open = () => source.open({ start, end: start + sizeBytes });
    yield { number, sizeBytes, open, md5: await md5Of(readChunks(open, signal)) };
  }
}

async function* readStream(
  source: Source,
  layout: PartLayout,
  signal: AbortSignal,
): AsyncGenerator<ReadPart, void, undefined> {
  let number = 0;
  for await (const bytes of splitIntoParts(readChunks(source.open, signal), layout)) {
    number += 1;
    const open = () => once(bytes);
    yield { number, sizeBytes: bytes.byteLength, open, md5: await md5Of(open()) };
  }
}

async function md5Of(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const hash = createHash("md5");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest();
}
