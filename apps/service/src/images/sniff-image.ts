/** The formats that are decoded. Everything else is refused before a decoder sees it, such as SVG and PDF, which are programs. */
export type DecodableFormat = "jpeg" | "png" | "webp" | "gif" | "avif" | "tiff";

/** Brands of AVIF in the box `ftyp` (https://aomediacodec.github.io/av1-avif/). HEIC has other brands and is not decoded. */
const AVIF_BRANDS = ["avif", "avis"];
/** Brands of the container. They may come first, and one of AVIF among the compatible ones. */
const CONTAINER_BRANDS = ["mif1", "miaf", "msf1"];

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
  if (["II*\0", "MM\0*", "II+\0", "MM\0+"].some((signature) => text.startsWith(signature))) return "tiff";
  if (text.slice(4, 8) === "ftyp" && isAvif(text, bytes.readUInt32BE(0))) return "avif";
  return null;
}

/** @param boxSize of `ftyp`: its major brand, a version, and the compatible brands, 4 bytes each */
function isAvif(text: string, boxSize: number): boolean {
  const [major = "", , ...compatible] = text.slice(8, boxSize).match(/[^]{4}/g) ?? [];
  if (AVIF_BRANDS.includes(major)) return true;
  return CONTAINER_BRANDS.includes(major) && compatible.some((brand) => AVIF_BRANDS.includes(brand));
}
