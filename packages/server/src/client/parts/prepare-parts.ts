import { createHash } from "node:crypto";
import { limits, type SignedPart, type StoredPart } from "@stowage/schemas";
import { countParts, sizeOfPart } from "@stowage/schemas/rules";
import { once, type ByteRange } from "../open-source.js";
import { readChunks } from "../read-chunks.js";
import type { UploadJob } from "../upload-job.js";
import { md5Of } from "./md5.js";
import { splitIntoParts } from "./split-into-parts.js";

interface Layout {
  sizeBytes: number;
  partSizeBytes: number;
}

/** A part that is ready to be sent. Its bytes can be read several times. */
export interface PreparedPart {
  number: number;
  sizeBytes: number;
  /** The 16 bytes. */
  md5: Buffer;
  open(): AsyncIterable<Uint8Array>;
  /** Missing until the part is signed. */
  signed?: SignedPart;
}

interface Preparation {
  job: UploadJob;
  partSizeBytes: number;
  /** The parts in storage, by their number. */
  stored: ReadonlyMap<number, StoredPart>;
  concurrency: number;
  signParts(parts: readonly PreparedPart[]): Promise<SignedPart[]>;
  signal: AbortSignal;
}

/** Yields the parts that have to be sent, in their order. Counts those that are in storage as sent. */
export function prepareParts(preparation: Preparation): AsyncGenerator<PreparedPart, void, undefined> {
  const { source } = preparation.job;
  return source.isReadableAgain ? prepareByRange(preparation) : prepareFromStream(preparation);
}

/**
 * Each part is read twice, for its MD5 and to send it, so none is held in memory. If the file changes between, storage refuses the
 * part. One group of parts is read and signed while the group before is sent.
 */
async function* prepareByRange(preparation: Preparation): AsyncGenerator<PreparedPart, void, undefined> {
  const missing = missingParts(preparation);
  // The size of a group bounds what is read long before it is sent, and how long a URL waits for its PUT.
  const groupSize = Math.min(2 * preparation.concurrency, limits.signedParts);
  const nextGroup = async () => {
    const group: PreparedPart[] = [];
    while (group.length < groupSize) {
      const { done, value } = await missing.next();
      if (done) break;
      group.push(value);
    }
    const signed = group.length === 0 ? [] : await preparation.signParts(group);
    return group.map((part, index) => ({ ...part, signed: signed[index]! }));
  };
  let coming = nextGroup();
  for (let group = await coming; group.length > 0; group = await coming) {
    coming = nextGroup();
    // Its failure is thrown when it is awaited. Until then it must not count as unhandled.
    coming.catch(() => {});
    yield* group;
  }
}

async function* missingParts({
  job,
  partSizeBytes,
  stored,
  signal,
}: Preparation): AsyncGenerator<PreparedPart, void, undefined> {
  const { source, progress } = job;
  const layout = { sizeBytes: source.sizeBytes, partSizeBytes };
  const count = countParts(source.sizeBytes, partSizeBytes);
  for (let number = 1; number <= count; number++) {
    const range = rangeOfPart(number, layout);
    const open = () => source.open(range);
    const part = {
      number,
      sizeBytes: range.end - range.start,
      open,
      md5: await md5Of(readChunks(open, signal)),
    };
    if (isStored(part, stored)) progress.start().add(part.sizeBytes);
    else yield part;
  }
}

/** Holds each part in memory. Reads the next one only when a worker asks for it, so there are never more parts than workers. */
async function* prepareFromStream({
  job,
  partSizeBytes,
  stored,
  signal,
}: Preparation): AsyncGenerator<PreparedPart, void, undefined> {
  const { source, progress } = job;
  const chunks = readChunks(source.open, signal);
  let number = 0;
  for await (const bytes of splitIntoParts(chunks, { sizeBytes: source.sizeBytes, partSizeBytes })) {
    number += 1;
    const md5 = createHash("md5").update(bytes).digest();
    const part = { number, sizeBytes: bytes.byteLength, md5, open: () => once(bytes) };
    if (isStored(part, stored)) progress.start().add(part.sizeBytes);
    else yield part;
  }
}

/**
 * Compares a part with what storage has. If ETags are not MD5s, as with SSE-KMS, every part counts as missing: sending a part again
 * costs time, skipping another file's part would mix two files.
 */
function isStored(
  { number, sizeBytes, md5 }: Pick<PreparedPart, "number" | "sizeBytes" | "md5">,
  stored: ReadonlyMap<number, StoredPart>,
): boolean {
  const part = stored.get(number);
  return part?.size === sizeBytes && part.etag.replaceAll('"', "").toLowerCase() === md5.toString("hex");
}

export function rangeOfPart(number: number, layout: Layout): ByteRange {
  const start = (number - 1) * layout.partSizeBytes;
  return { start, end: start + sizeOfPart(number, layout) };
}
