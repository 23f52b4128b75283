import { limits, StowageError, type SignedPart, type StoredPart } from "@stowage/schemas";
import { countParts, sizeOfPart } from "@stowage/schemas/rules";
import type { UploadJob } from "../upload-job.js";
import type { ExpectedEtag } from "./etags.js";
import { type PartLayout, type ReadPart, readParts } from "./read-parts.js";

/** A part that is ready to be sent. */
export interface PreparedPart extends ReadPart {
  /** Whether its PUT must wait for the end of all others. */
  waitsForOthers: boolean;
  /** Missing until the part is signed. */
  signed?: SignedPart;
}

interface Preparation {
  job: UploadJob;
  partSizeBytes: number;
  /** The parts in storage. */
  stored: readonly StoredPart[];
  /** Receives all parts, also those that are not sent. */
  etag: ExpectedEtag;
  signParts(parts: readonly PreparedPart[]): Promise<SignedPart[]>;
  signal: AbortSignal;
}

/** Yields the parts that have to be sent. Counts those that are in storage as sent. */
export function prepareParts(preparation: Preparation): AsyncGenerator<PreparedPart, void, undefined> {
  // A part of a stream is in memory from when it is read until it is sent: the next one is read only when a worker asks for it, and
  // the worker signs it. So there are never more parts in memory than workers.
  const { isReadableAgain } = preparation.job.source;
  return isReadableAgain ? signedInGroups(preparation) : missingParts(preparation);
}

/** Reads and signs one group of parts while the group before is sent. */
async function* signedInGroups(preparation: Preparation): AsyncGenerator<PreparedPart, void, undefined> {
  const missing = missingParts(preparation);
  // The size of a group bounds what is read long before it is sent, and how long a URL waits for its PUT.
  const groupSize = Math.min(2 * preparation.job.parts.concurrency, limits.signedParts);
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

/**
 * Compares each part with what storage has, and yields those that differ or are missing. The last missing part comes at the end, and
 * waits for all others if parts in storage are replaced: as soon as no part is missing, the service may complete the upload, and it
 * must not join parts of two files.
 *
 * @throws {StowageError} `invalid_request` if no part is missing and one differs, or if the file at a path was changed meanwhile
 */
async function* missingParts(preparation: Preparation): AsyncGenerator<PreparedPart, void, undefined> {
  const { job, partSizeBytes, etag, signal } = preparation;
  const { source, progress } = job;
  const layout = { sizeBytes: source.sizeBytes, partSizeBytes };
  const stored = fittingParts(preparation.stored, layout);
  const lastMissing = findLastMissing(stored, layout);
  let held: ReadPart | undefined;
  let replacesParts = false;
  for await (const part of readParts(source, partSizeBytes, signal)) {
    etag.add(part.md5);
    if (part.number === lastMissing) {
      held = part;
    } else if (etag.comparePart(stored.get(part.number), part.md5)) {
      progress.start().add(part.sizeBytes);
    } else {
      if (lastMissing === undefined) throw otherFile();
      if (stored.has(part.number)) replacesParts = true;
      yield { ...part, waitsForOthers: false };
    }
  }
  if (held === undefined) return;
  // The other parts are never sent with other bytes than those that were read above, because storage compares their MD5s.
  await source.checkUnchanged();
  yield { ...held, waitsForOthers: replacesParts };
}

/**
 * Returns the ETags of the parts that have the right size. If ETags are not MD5s, as with SSE-KMS, every part counts as another one:
 * sending a part again costs time, skipping another file's part would mix two files.
 */
function fittingParts(stored: readonly StoredPart[], layout: PartLayout): ReadonlyMap<number, string> {
  const fitting = stored.filter(({ number, size }) => size === sizeOfPart(number, layout));
  return new Map(fitting.map(({ number, etag }) => [number, etag]));
}

function findLastMissing(stored: ReadonlyMap<number, string>, layout: PartLayout): number | undefined {
  for (let number = countParts(layout.sizeBytes, layout.partSizeBytes); number > 0; number--) {
    if (!stored.has(number)) return number;
  }
  return undefined;
}

function otherFile(): StowageError {
  return new StowageError("invalid_request", {
    detail: "The parts in storage are not the parts of this file: cancel the upload and start a new one",
  });
}
