import sharp, { type Metadata, type Sharp } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import type { EncodedFormat, VariantParameters } from "../preset-parameters.js";
import { type DecodableFormat, sniffImage } from "../sniff-image.js";
import { type DecodeAnswer, type DecodeRequest, type ImageInfo, MAX_PIXELS } from "./protocol.js";

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
export async function transform({ bytes, format, parameters }: DecodeRequest): Promise<DecodeAnswer> {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (sniffImage(input) !== format) return { ok: false, reason: "not an image" };
  try {
    const metadata = await open(input).metadata();
    if ((DECODED_AS[metadata.format] ?? metadata.format) !== format)
      return { ok: false, reason: "not the image that its first bytes announce" };
    const output = await encode(resize(open(input), metadata, parameters), parameters).toBuffer();
    // Where the variant shows the whole image, it is a smaller source.
    const source = parameters.fit === "inside" ? output : input;
    return {
      ok: true,
      bytes: output,
      contentType: `image/${parameters.format}`,
      image: await describe(metadata, source),
    };
  } catch (error) {
    return { ok: false, reason: (error as Error).message.slice(0, MAX_REASON_LENGTH) };
  }
}

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

function resize(image: Sharp, { icc, space }: Metadata, { width, height, fit }: VariantParameters): Sharp {
  const resized = image.resize(width, height, { fit, withoutEnlargement: true });
  // Without these calls, all metadata is removed, also the profile, and the colors are converted to sRGB. A profile of CMYK or gray does
  // not fit the RGB of the output.
  if (icc === undefined) return resized;
  return space === "srgb" || space === "rgb16" ? resized.keepIccProfile() : resized.withIccProfile("srgb");
}

const encoders: Record<EncodedFormat, (image: Sharp, quality: number) => Sharp> = {
  webp: (image, quality) => image.webp({ quality }),
  // A higher effort takes many times longer and saves some percent.
  avif: (image, quality) => image.avif({ quality, effort: 2 }),
  jpeg: (image, quality) => image.flatten({ background: "#fff" }).jpeg({ quality }),
};

function encode(image: Sharp, { format, quality }: VariantParameters): Sharp {
  return encoders[format](image, quality);
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
