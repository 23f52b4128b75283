import type { DecodableFormat } from "./source-formats.js";

/** Brands of pictures in the box `ftyp`: https://aomediacodec.github.io/av1-avif/ */
const AVIF_BRANDS = ["avif", "avis"];
/** A longer `ftyp` than 64 brands is not one of a camera or a program. */
const MAX_BRANDS_BYTES = 4 * 64;

/**
 * Recognizes an image by its first bytes. A name or a declared type says nothing about what a decoder would do with the bytes.
 *
 * @returns null for bytes that are not decoded
 */
export function sniffImage(bytes: Buffer): DecodableFormat | null {
  const text = bytes.toString("latin1", 0, 16);
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "webp";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "gif";
  if (["II*\0", "MM\0*", "II+\0", "MM\0+"].some((signature) => text.startsWith(signature))) return "tiff";
  if (text.slice(4, 8) === "ftyp") return sniffBrands(brandsOf(bytes));
  return null;
}

/** The brand of the file, and those that it is compatible with. The first may be one of the container, such as `mif1`. */
function brandsOf(bytes: Buffer): string[] {
  const size = Math.min(bytes.readUInt32BE(0), MAX_BRANDS_BYTES);
  const [major = "", , ...compatible] = bytes.toString("latin1", 8, size).match(/[^]{4}/g) ?? [];
  return [major, ...compatible];
}

function sniffBrands(brands: string[]): DecodableFormat | null {
  return brands.some((brand) => AVIF_BRANDS.includes(brand)) ? "avif" : null;
}
