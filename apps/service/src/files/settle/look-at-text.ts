import { isAscii, isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";

/** How much of a file is read at most. Most texts are smaller, so all of their bytes decide. */
const MAX_LOOK_BYTES = 16 * 1024 ** 2;
/** How much of a file is read after its first byte that is not ASCII. */
const MAX_BYTES_AFTER_FIRST = 256 * 1024;

/**
 * Reads the beginning of a text, and says whether it is UTF-8. ASCII is not called UTF-8: every browser shows it right without a charset,
 * and behind the bytes that were read may be others. A text of another charset contains a sequence of bytes that UTF-8 does not have.
 *
 * Only the bytes from the first one that is not ASCII are kept, so an ASCII log costs no memory.
 *
 * @param bytes destroyed at the end
 * @returns null for ASCII, for another charset, and for bytes that are no text
 */
export async function findCharset(bytes: Readable): Promise<"utf-8" | null> {
  const tail: Buffer[] = [];
  let [readBytes, tailBytes] = [0, 0];
  try {
    for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      readBytes += buffer.length;
      if (hasControl(buffer)) return null;
      if (tailBytes > 0 || !isAscii(buffer)) {
        const from = tailBytes > 0 ? 0 : buffer.findIndex((byte) => byte > 0x7f);
        tail.push(buffer.subarray(from));
        tailBytes += buffer.length - from;
      }
      if (tailBytes >= MAX_BYTES_AFTER_FIRST || readBytes >= MAX_LOOK_BYTES)
        return beginsAsUtf8(Buffer.concat(tail)) ? "utf-8" : null;
    }
    return tailBytes > 0 && isUtf8(Buffer.concat(tail)) ? "utf-8" : null;
  } finally {
    bytes.destroy();
  }
}

/** NUL is in UTF-16 and in files that are no text. ESC begins the escape sequences of ISO-2022, which browsers recognise themselves. */
const hasControl = (buffer: Buffer) =>
  buffer.includes(0) || buffer.includes("\x1b$") || buffer.includes("\x1b(");

/** Whether the bytes are UTF-8, with at least one whole character. The limit may have cut the last one. */
function beginsAsUtf8(bytes: Buffer): boolean {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true }) !== "";
  } catch {
    return false;
  }
}
