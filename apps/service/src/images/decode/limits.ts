import type { Metadata } from "sharp";
import { type DecodableFormat, type SourceFormat, sourceFormats } from "../source-formats.js";
import { UnreadableError } from "./renderer.js";
import type { Size } from "./size.js";

/** @throws {UnreadableError} with the limit */
export function requireFewPixels(format: DecodableFormat, { width, height }: Size, isHeavy = false): void {
  const row: SourceFormat = sourceFormats[format];
  const { name, maxMegapixels } = (isHeavy && row.heavy) || row;
  const megapixels = (width * height) / 1_000_000;
  if (megapixels <= maxMegapixels) return;
  const article = /^[AEIO]/i.test(name) ? "an" : "a";
  // Rounded up, so that it is never the same number.
  const has = Math.ceil(megapixels);
  throw new UnreadableError(
    `${article} ${name} may have at most ${maxMegapixels} megapixels, and this one has ${has}`,
  );
}

/** Whether it is the heavy kind of its format. */
export const isHeavy = (format: DecodableFormat, { isProgressive, depth }: Metadata): boolean =>
  format === "avif" ? depth !== "uchar" : isProgressive;
