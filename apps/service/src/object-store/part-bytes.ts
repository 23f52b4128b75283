import { limits } from "@stowage/schemas";
import { ObjectChangedError } from "./object-errors.js";

/** Objects up to this size are sent by one PUT. Larger ones are sent by parts of this size, if storage takes so many. */
export const PART_BYTES = 8 * 1024 ** 2;

/** How many bytes of an object are in memory while it is sent. */
export const partBytesOf = (sizeBytes: number, maxParts: number = limits.parts): number =>
  Math.max(PART_BYTES, Math.ceil(sizeBytes / maxParts));

/**
 * Reads a body into memory.
 *
 * @param length of the whole body
 * @param touch is called with each sign of progress
 * @throws {ObjectChangedError} if it has more or fewer bytes
 */
export async function collect(
  body: AsyncIterable<Uint8Array>,
  length: number,
  touch: () => void,
): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for await (const chunk of body) {
    touch();
    if (at + chunk.length > length) throw new ObjectChangedError("it has more bytes");
    bytes.set(chunk, at);
    at += chunk.length;
  }
  if (at < length) throw new ObjectChangedError("it has fewer bytes");
  return bytes;
}
