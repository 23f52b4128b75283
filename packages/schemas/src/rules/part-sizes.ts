import { limits } from "../limits.js";

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 ** 2;
/** Browsers send this many requests to one host at the same time, and so does the widget. */
const PARTS_AT_ONCE = 6;

/**
 * Chooses the part size of a multipart upload: 5 to 10 MiB, or more if the file would have too many parts. Small parts lose
 * little when a connection breaks. The parts fill whole rounds of six at the same time, so that no connection is idle in the last one.
 *
 * @param sizeBytes the size of the whole file
 * @param maxParts the largest number of a part that storage takes. @default 10,000
 * @returns bytes
 */
export function choosePartSize(sizeBytes: number, maxParts: number = limits.parts): number {
  const rounds = Math.max(1, Math.floor(sizeBytes / (PARTS_AT_ONCE * limits.minPartSizeBytes)));
  const even = roundUp(sizeBytes / (PARTS_AT_ONCE * rounds), 64 * KIBIBYTE);
  const needed = roundUp(sizeBytes / maxParts, MEBIBYTE);
  return Math.max(limits.minPartSizeBytes, even, needed);
}

function roundUp(bytes: number, unitBytes: number): number {
  return Math.ceil(bytes / unitBytes) * unitBytes;
}

/** Returns the number of parts of a file. All have `partSizeBytes`, except the last, which has the rest. */
export function countParts(sizeBytes: number, partSizeBytes: number): number {
  return Math.ceil(sizeBytes / partSizeBytes);
}

/** Returns the bytes of one part. Part numbers start at 1. */
export function sizeOfPart(
  number: number,
  { sizeBytes, partSizeBytes }: { sizeBytes: number; partSizeBytes: number },
): number {
  return Math.min(partSizeBytes, sizeBytes - (number - 1) * partSizeBytes);
}
