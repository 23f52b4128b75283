import { type DecodableFormat, sourceFormats } from "../source-formats.js";
import { UnreadableError } from "./renderer.js";
import type { Size } from "./size.js";

/** @throws {UnreadableError} */
export function requireFewPixels(format: DecodableFormat, { width, height }: Size): void {
  const { name, maxMegapixels } = sourceFormats[format];
  const megapixels = (width * height) / 1_000_000;
  if (megapixels <= maxMegapixels) return;
  // Rounded up: 50.1 would be "at most 50, and this one has 50".
  throw new UnreadableError(
    `${name} may have at most ${maxMegapixels} megapixels, and this one has ${Math.ceil(megapixels)}`,
  );
}
