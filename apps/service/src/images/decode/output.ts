import type { Metadata, Sharp } from "sharp";
import type { EncodedFormat, VariantParameters } from "../preset-parameters.js";
import type { DecodableFormat } from "../source-formats.js";
import { outputSize } from "./size.js";

/* What becomes of an opened picture: its size, its colors, its encoder. */

/**
 * The AVIF encoder needs some 21 bytes of memory for each pixel, and with transparency, which is a second image, some 31 (`pnpm lab decoder`).
 * The image that it encodes and what it only reserves count too. A larger variant is made smaller, in its proportions. 12.6 megapixels are
 * 4096 × 3072.
 */
const MAX_AVIF_PIXELS = { opaque: 12_600_000, transparent: 8_000_000 };
export const maxAvifPixels = ({ hasAlpha }: Metadata) => MAX_AVIF_PIXELS[hasAlpha ? "transparent" : "opaque"];

/** A larger profile would be the largest part of a thumbnail. P3 is what wide profiles of screens and cameras mostly are. */
const MAX_PROFILE_BYTES = 10_000;

export function resize(image: Sharp, metadata: Metadata, parameters: VariantParameters): Sharp {
  const { icc, space } = metadata;
  const { fit, format } = parameters;
  let { width, height } = parameters;
  const size = outputSize(metadata.autoOrient, parameters);
  const tooLarge = Math.sqrt((size.width * size.height) / maxAvifPixels(metadata));
  if (format === "avif" && tooLarge > 1) {
    width = Math.max(1, Math.floor(size.width / tooLarge));
    height = Math.max(1, Math.floor(size.height / tooLarge));
  }
  const resized = image.resize(width, height, { fit, withoutEnlargement: true });
  // Without these calls, all metadata is removed, also the profile, and the colors are converted to sRGB. A profile of CMYK or gray does
  // not fit the RGB of the output.
  if (icc === undefined) return resized;
  const isRgb = space === "srgb" || space === "rgb16";
  if (icc.length > MAX_PROFILE_BYTES) return resized.withIccProfile(isRgb ? "p3" : "srgb");
  return isRgb ? resized.keepIccProfile() : resized.withIccProfile("srgb");
}

/**
 * Above so many pixels the AVIF encoder works faster, because its time grows with the pixels: docs/decisions/0051 has the figures.
 */
const FAST_AVIF_PIXELS = 1_500_000;

/** How an encoder works. */
export interface Effort {
  quality: number;
  /** Only WebP can: drawings become smaller, photos many times as large. */
  isLossless?: boolean;
}

const encoders: Record<EncodedFormat, (image: Sharp, effort: Effort, pixels: number) => Sharp> = {
  webp: (image, { quality, isLossless = false }) => image.webp({ quality, lossless: isLossless }),
  // Colors have half of the resolution, as in WebP and JPEG. Otherwise the encoder needs half as much memory more. A higher effort takes
  // many times longer and saves some percent.
  avif: (image, { quality }, pixels) =>
    image.avif({ quality, chromaSubsampling: "4:2:0", effort: pixels > FAST_AVIF_PIXELS ? 0 : 2 }),
  jpeg: (image, { quality }) => image.flatten({ background: "#fff" }).jpeg({ quality }),
};

export function encode(
  image: Sharp,
  metadata: Metadata,
  parameters: VariantParameters,
  effort: Effort = parameters,
): Sharp {
  const { width, height } = outputSize(metadata.autoOrient, parameters);
  return encoders[parameters.format](image, effort, width * height);
}

const LOSSLESS_FORMATS: DecodableFormat[] = ["png", "gif"];
/** Lower ones look bad. */
const LOWEST_QUALITY = 40;

/** What is tried if a variant is larger than its original, for example of a drawing, or of a JPEG of low quality. */
export function smallerEfforts(
  format: DecodableFormat,
  { format: to, quality }: VariantParameters,
): Effort[] {
  // A text of a few bytes is a page full of letters.
  if (format === "pdf") return [];
  if (to === "webp" && LOSSLESS_FORMATS.includes(format)) return [{ quality, isLossless: true }];
  return [quality - 20, LOWEST_QUALITY]
    .filter((lower) => lower >= LOWEST_QUALITY && lower < quality)
    .map((lower) => ({ quality: lower }));
}
