import sharp, { type Metadata, type Sharp } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import type { EncodedFormat, VariantParameters } from "../preset-parameters.js";
import { type DecodableFormat, sniffImage } from "../sniff-image.js";
import { type DecodeRequest, type ImageInfo, MAX_PIXELS, type ProcessAnswer } from "./protocol.js";

/*
 * Only the child process imports this file: a bug in a decoder must not reach the keys of the worker or the requests of the service.
 */

/** libvips' names of the loaders that may run. */
const LOADERS: Record<DecodableFormat, string> = {
  jpeg: "VipsForeignLoadJpegBuffer",
  png: "VipsForeignLoadPngBuffer",
  webp: "VipsForeignLoadWebpBuffer",
  gif: "VipsForeignLoadNsgifBuffer",
  avif: "VipsForeignLoadHeifBuffer",
  tiff: "VipsForeignLoadTiffBuffer",
};

/** What libvips calls the formats. */
const DECODED_AS: Partial<Record<string, DecodableFormat>> = { heif: "avif" };

/** Refuses every other loader in this process, and keeps its memory small. */
export function restrictDecoders(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: Object.values(LOADERS) });
  // Each process decodes one image at a time, and a worker has a process for each core.
  sharp.concurrency(1);
  sharp.cache(false);
}

/** Decodes an image and encodes it as the parameters say. Never throws for bytes that are no image. */
export async function transform({ bytes, format, parameters }: DecodeRequest): Promise<ProcessAnswer> {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (sniffImage(input) !== format) return { ok: false, reason: "not an image" };
  try {
    const metadata = await open(input).metadata();
    if ((DECODED_AS[metadata.format] ?? metadata.format) !== format)
      return { ok: false, reason: "not the image that its first bytes announce" };
    const resized = await settle(resize(open(input), metadata, parameters), parameters);
    const output = await encode(resized, metadata, parameters).toBuffer();
    // Where the variant shows the whole image, it is a smaller source.
    const source = parameters.fit === "inside" ? output : input;
    return {
      ok: true,
      bytes: output,
      contentType: `image/${parameters.format}`,
      image: await describe(metadata, source),
    };
  } catch (error) {
    return judge(input, error, parameters);
  }
}

/** Tells an image that cannot be decoded from a decoder or an encoder that could not do its work. */
async function judge(input: Buffer, error: unknown, parameters: VariantParameters): Promise<ProcessAnswer> {
  if (isAboutMemory(error)) return { ok: null, kind: "memory", reason: reasonOf(error) };
  let metadata: Metadata | null = null;
  try {
    metadata = await open(input).metadata();
    // The whole image, without an encoder.
    await describe(metadata, input);
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

/** @param metadata null if not even they could be read */
function decodingBytes(metadata: Metadata | null): number {
  if (metadata === null) return DECODER_BYTES;
  const pixels = metadata.width * metadata.height;
  // A larger image is refused before it is decoded.
  if (pixels > MAX_PIXELS) return 0;
  const avif = metadata.depth === "uchar" ? "avif" : "deepAvif";
  return DECODER_BYTES + pixels * DECODED_BYTES[metadata.format === "heif" ? avif : "other"];
}

function encodingBytes(metadata: Metadata, parameters: VariantParameters): number {
  const { width, height } = outputSize(metadata, parameters);
  const pixels = Math.min(width * height, maxAvifPixels(metadata));
  return DECODER_BYTES + pixels * ENCODED_BYTES;
}

/** The memory is not touched, so this costs no memory where it succeeds. */
export function canAllocate(bytes: number): boolean {
  try {
    return Buffer.allocUnsafeSlow(bytes).length === bytes;
  } catch {
    return false;
  }
}

const reasonOf = (error: unknown) => (error as Error).message.slice(0, MAX_REASON_LENGTH);

const MAX_REASON_LENGTH = 200;

/** Only the first page of an animation is read. */
function open(input: Buffer): Sharp {
  return sharp(input, {
    autoOrient: true,
    failOn: "error",
    limitInputPixels: MAX_PIXELS,
    pages: 1,
    sequentialRead: true,
  });
}

/**
 * The AVIF encoder needs some 21 bytes of memory for each pixel, and with transparency, which is a second image, some 31 (`pnpm lab decoder`).
 * The image that it encodes and what it only reserves count too. A larger variant is made smaller, in its proportions. 12.6 megapixels are
 * 4096 × 3072.
 */
const MAX_AVIF_PIXELS = { opaque: 12_600_000, transparent: 8_000_000 };
const maxAvifPixels = ({ hasAlpha }: Metadata) => MAX_AVIF_PIXELS[hasAlpha ? "transparent" : "opaque"];

function resize(image: Sharp, metadata: Metadata, parameters: VariantParameters): Sharp {
  const { icc, space } = metadata;
  const { fit, format } = parameters;
  let { width, height } = parameters;
  const size = outputSize(metadata, parameters);
  const tooLarge = Math.sqrt((size.width * size.height) / maxAvifPixels(metadata));
  if (format === "avif" && tooLarge > 1) {
    width = Math.max(1, Math.floor(size.width / tooLarge));
    height = Math.max(1, Math.floor(size.height / tooLarge));
  }
  const resized = image.resize(width, height, { fit, withoutEnlargement: true });
  // Without these calls, all metadata is removed, also the profile, and the colors are converted to sRGB. A profile of CMYK or gray does
  // not fit the RGB of the output.
  if (icc === undefined) return resized;
  return space === "srgb" || space === "rgb16" ? resized.keepIccProfile() : resized.withIccProfile("srgb");
}

/**
 * Lets the decoder end before the AVIF encoder starts: a progressive JPEG of 48 megapixels keeps 288 MB until its last line is read. The
 * other encoders need little, and begin with the first line.
 */
async function settle(image: Sharp, { format }: VariantParameters): Promise<Sharp> {
  if (format !== "avif") return image;
  return sharp(await image.tiff({ compression: "none" }).toBuffer()).keepIccProfile();
}

/** The size of the variant, within a pixel: the side that a preset leaves open follows from the original. */
function outputSize({ autoOrient }: Metadata, { width, height, fit }: VariantParameters) {
  const sides = [(width ?? Infinity) / autoOrient.width, (height ?? Infinity) / autoOrient.height];
  const scale = Math.min(1, ...sides);
  return fit === "inside"
    ? { width: autoOrient.width * scale, height: autoOrient.height * scale }
    : {
        width: Math.min(width ?? Infinity, autoOrient.width),
        height: Math.min(height ?? Infinity, autoOrient.height),
      };
}

/**
 * Above so many pixels the AVIF encoder works faster, because its time grows with the pixels: docs/decisions/0051 has the figures.
 */
const FAST_AVIF_PIXELS = 1_500_000;

const encoders: Record<EncodedFormat, (image: Sharp, quality: number, pixels: number) => Sharp> = {
  webp: (image, quality) => image.webp({ quality }),
  // Colors have half of the resolution, as in WebP and JPEG. Otherwise the encoder needs half as much memory more. A higher effort takes
  // many times longer and saves some percent.
  avif: (image, quality, pixels) =>
    image.avif({ quality, chromaSubsampling: "4:2:0", effort: pixels > FAST_AVIF_PIXELS ? 0 : 2 }),
  jpeg: (image, quality) => image.flatten({ background: "#fff" }).jpeg({ quality }),
};

function encode(image: Sharp, metadata: Metadata, parameters: VariantParameters): Sharp {
  const { width, height } = outputSize(metadata, parameters);
  return encoders[parameters.format](image, parameters.quality, width * height);
}

/** ThumbHash takes at most 100 × 100 pixels. */
const PLACEHOLDER_PIXELS = 100;

/** @param source an image with the proportions of the original */
async function describe({ autoOrient }: Metadata, source: Buffer): Promise<ImageInfo> {
  const { data, info } = await open(source)
    .resize(PLACEHOLDER_PIXELS, PLACEHOLDER_PIXELS, { fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const placeholder = Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
  return { width: autoOrient.width, height: autoOrient.height, placeholder };
}
