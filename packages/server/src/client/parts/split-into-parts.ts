import { countParts, sizeOfPart } from "@stowage/schemas/rules";
import { tooLong, tooShort } from "../read-chunks.js";

/**
 * Collects the chunks of a stream into parts. Yields the last part only after the end of the stream: a longer stream must not
 * become a complete file.
 *
 * @throws {StowageError} `invalid_request` when the stream is shorter or longer than announced
 */
export async function* splitIntoParts(
  chunks: AsyncIterable<Uint8Array>,
  layout: { sizeBytes: number; partSizeBytes: number },
): AsyncGenerator<Buffer, void, undefined> {
  const { sizeBytes } = layout;
  const count = countParts(sizeBytes, layout.partSizeBytes);
  let number = 1;
  let part = Buffer.allocUnsafe(sizeOfPart(number, layout));
  let filledBytes = 0;
  let readBytes = 0;
  for await (const chunk of chunks) {
    readBytes += chunk.byteLength;
    if (readBytes > sizeBytes) throw tooLong(sizeBytes);
    for (let start = 0; start < chunk.byteLength;) {
      if (filledBytes === part.byteLength && number < count) {
        yield part;
        number += 1;
        part = Buffer.allocUnsafe(sizeOfPart(number, layout));
        filledBytes = 0;
      }
      const rest = chunk.subarray(start, start + part.byteLength - filledBytes);
      part.set(rest, filledBytes);
      filledBytes += rest.byteLength;
      start += rest.byteLength;
    }
  }
  if (readBytes < sizeBytes) throw tooShort(readBytes, sizeBytes);
  yield part;
}
