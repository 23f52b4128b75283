import type { Metadata } from "sharp";
import type { VariantParameters } from "../preset-parameters.js";
import { canAllocate } from "./free-memory.js";
import { maxAvifPixels } from "./output.js";
import { makePlaceholder, openPicture, type Picture } from "./picture.js";
import type { ProcessAnswer } from "./protocol.js";
import { RendererMissingError, UnreadableError } from "./renderer.js";
import { outputSize } from "./size.js";

/* Tells an image that cannot be decoded from a decoder or an encoder that could not do its work. docs/decisions/0049 has the reasons. */

/** About an original that could not even be opened. */
export function judgeUnread(error: unknown): ProcessAnswer {
  const reason = reasonOf(error);
  if (error instanceof RendererMissingError) return { ok: null, kind: "crashed", reason };
  // A renderer's verdict may name a limit of memory, which the file exceeds on every machine.
  const lackedMemory = isAboutMemory(error) && !(error instanceof UnreadableError);
  return lackedMemory || !canAllocate(DECODER_BYTES)
    ? { ok: null, kind: "memory", reason }
    : { ok: false, reason };
}

/** About a picture of which no variant could be made. */
export async function judge(
  picture: Picture,
  error: unknown,
  parameters: VariantParameters,
): Promise<ProcessAnswer> {
  if (isAboutMemory(error)) return { ok: null, kind: "memory", reason: reasonOf(error) };
  const { metadata } = picture;
  try {
    // The whole image, without an encoder.
    await makePlaceholder(openPicture(picture));
    const hadMemory = canAllocate(encodingBytes(metadata, parameters));
    return { ok: null, kind: hadMemory ? "crashed" : "memory", reason: reasonOf(error) };
  } catch (decodeError) {
    const reason = reasonOf(decodeError);
    if (isAboutMemory(decodeError) || !canAllocate(decodingBytes(metadata)))
      return { ok: null, kind: "memory", reason };
    return { ok: false, reason };
  }
}

/** libvips, libheif, libpng and V8 say it in different words. The words may stand behind a thousand others. */
const isAboutMemory = (error: unknown) => /memory|alloc/i.test((error as Error).message);

/*
 * Some decoders and encoders answer alike to a lack of memory and to damage (AVIF: "Invalid input: Unspecified", WebP: "unable to read
 * pixels"). If the process can still get more than the work takes, there was no lack. `pnpm lab decoder` shows what it takes.
 */

const DECODER_BYTES = 64 * 1024 ** 2;
/** For each pixel. AVIF is decoded as a whole, its colors at full size, with 16 bits where it has more than 8. */
const DECODED_BYTES = { avif: 18, deepAvif: 25, other: 8 };
/** For each pixel of an AVIF, the largest of what is encoded. */
const ENCODED_BYTES = 31;

function decodingBytes(metadata: Metadata): number {
  const pixels = metadata.width * metadata.height;
  const avif = metadata.depth === "uchar" ? "avif" : "deepAvif";
  return DECODER_BYTES + pixels * DECODED_BYTES[metadata.format === "heif" ? avif : "other"];
}

function encodingBytes(metadata: Metadata, parameters: VariantParameters): number {
  const { width, height } = outputSize(metadata.autoOrient, parameters);
  const pixels = Math.min(width * height, maxAvifPixels(metadata));
  return DECODER_BYTES + pixels * ENCODED_BYTES;
}

const reasonOf = (error: unknown) => (error as Error).message.slice(0, MAX_REASON_LENGTH);

const MAX_REASON_LENGTH = 200;
