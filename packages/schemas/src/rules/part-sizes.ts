import { limits } from "../limits.js";

const MEBIBYTE = 1024 ** 2;
const MIN_CHOSEN_PART_SIZE = 8 * MEBIBYTE;

/**
 * Chooses the part size of a multipart upload: 8 MiB, or more if the file would have too many parts, in whole MiB.
 *
 * @param sizeBytes the size of the whole file
 * @returns bytes
 */
export function choosePartSize(sizeBytes: number): number {
  const needed = Math.ceil(sizeBytes / limits.parts);
  return Math.ceil(Math.max(MIN_CHOSEN_PART_SIZE, needed) / MEBIBYTE) * MEBIBYTE;
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
