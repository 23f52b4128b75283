/** The formats that are decoded. Everything else is refused before a decoder sees it, such as SVG and PDF, which are programs. */
export type DecodableFormat = "jpeg" | "png" | "webp" | "gif" | "avif" | "tiff";

/** Brands of AVIF in the box `ftyp` (https://aomediacodec.github.io/av1-avif/). HEIC has other brands and is not decoded. */
const AVIF_BRANDS = ["avif", "avis"];

/**
 * Recognizes an image by its first bytes. A name or a declared type says nothing about what a decoder would do with the bytes.
 *
 * @param bytes at least the first 64 bytes, if there are so many
 * @returns null for bytes that are not decoded
 */
export function sniffImage(bytes: Buffer): DecodableFormat | null {
  const text = bytes.toString("latin1", 0, 64);
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "webp";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "gif";
  if (text.startsWith("II*\0") || text.startsWith("MM\0*")) return "tiff";
  if (text.slice(4, 8) === "ftyp" && AVIF_BRANDS.includes(text.slice(8, 12))) return "avif";
  return null;
}
