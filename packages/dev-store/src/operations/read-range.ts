import { S3Error } from "../errors.js";

export interface ByteRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

/**
 * One `Range` of a file, RFC 9110 section 14.1.2. Undefined when there is none to honour: S3 answers several ranges,
 * and what is no range of bytes, with the whole object.
 *
 * @throws S3Error InvalidRange, with the Content-Range that a 416 carries
 */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const shape = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!shape || (shape[1] === "" && shape[2] === "")) return undefined;
  const isSuffix = shape[1] === "";
  // A number past 2^53 is past every end, so losing its digits changes nothing.
  const first = isSuffix ? Math.max(0, sizeBytes - Number(shape[2])) : Number(shape[1]);
  const last = isSuffix || shape[2] === "" ? sizeBytes - 1 : Math.min(Number(shape[2]), sizeBytes - 1);
  if (!isSuffix && shape[2] !== "" && Number(shape[2]) < first) return undefined;
  if (first >= sizeBytes || (isSuffix && Number(shape[2]) === 0))
    throw new S3Error("InvalidRange", undefined, { "Content-Range": `bytes */${sizeBytes}` });
  return { first, last };
}
