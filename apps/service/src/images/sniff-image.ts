import type { DecodableFormat } from "./source-formats.js";
import { isSensorDirectory, readTiffDirectories, tiffTags } from "./tiff-directories.js";

/** Brands of pictures in the box `ftyp`: https://aomediacodec.github.io/av1-avif/, ISO/IEC 23008-12 */
const AVIF_BRANDS = ["avif", "avis"];
const HEIC_BRANDS = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"];
/** Brands of the container, which say nothing about the codec. */
const CONTAINER_BRANDS = ["mif1", "mif2", "msf1", "miaf"];
const CANON_BRAND = "crx ";
const JXL_SIGNATURES = ["\xff\x0a", "\0\0\0\x0cJXL \r\n\x87\n"];
/** Of Olympus, Panasonic and Fujifilm. */
const RAW_SIGNATURES = ["IIRO", "IIRS", "MMOR", "IIU\0", "FUJIFILMCCD-RAW "];
const TIFF_SIGNATURES = ["II*\0", "MM\0*", "II+\0", "MM\0+"];
/** A longer `ftyp` than 64 brands is not one of a camera or a program. */
const MAX_BRANDS_BYTES = 4 * 64;

/**
 * Recognizes an image by its bytes, mostly the first ones. A name or a declared type says nothing about what a decoder would do with the bytes.
 *
 * @returns null for bytes that are not decoded
 */
export function sniffImage(bytes: Buffer): DecodableFormat | null {
  const text = bytes.toString("latin1", 0, 16);
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "webp";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "gif";
  if (JXL_SIGNATURES.some((signature) => text.startsWith(signature))) return "jxl";
  if (RAW_SIGNATURES.some((signature) => text.startsWith(signature))) return "raw";
  if (TIFF_SIGNATURES.some((signature) => text.startsWith(signature)))
    return isRawTiff(bytes) ? "raw" : "tiff";
  if (text.slice(4, 8) === "ftyp") return sniffContainer(bytes);
  return bytes.subarray(0, PDF_HEADER_BYTES).includes("%PDF-") ? "pdf" : null;
}

/** DNG, NEF, ARW and others are TIFF, whose first picture is a small preview. */
function isRawTiff(bytes: Buffer): boolean {
  const directories = readTiffDirectories(bytes);
  const isCr2 = bytes.toString("latin1", 8, 10) === "CR";
  return isCr2 || directories.some((each) => each.has(tiffTags.dngVersion) || isSensorDirectory(each));
}

/** Programs read a PDF with other bytes before its header, up to here: ISO 32000-1, annex H.3. Mail gateways and servers write them. */
const PDF_HEADER_BYTES = 1024;

/** The brand of the file comes first, then those that it is compatible with. The first may be one of the container. */
function sniffContainer(bytes: Buffer): DecodableFormat | null {
  const size = Math.min(bytes.readUInt32BE(0), MAX_BRANDS_BYTES);
  const [major = "", , ...compatible] = bytes.toString("latin1", 8, size).match(/[^]{4}/g) ?? [];
  if (major === CANON_BRAND) return "raw";
  const brands = [major, ...compatible];
  const first = brands.find((brand) => AVIF_BRANDS.includes(brand) || HEIC_BRANDS.includes(brand));
  if (first !== undefined) return AVIF_BRANDS.includes(first) ? "avif" : "heic";
  return brands.some((brand) => CONTAINER_BRANDS.includes(brand)) ? sniffItems(bytes) : null;
}

/** How far the list of items may reach. A photo of 48 megapixels has 192 tiles. */
const MAX_ITEMS_BYTES = 64 * 1024;
/** An entry of the list: its version and flags, the number of the item, its protection, and its type. */
const ITEM = /infe[^]{8}(?:[^]{2})?(av01|hvc1)/;

function sniffItems(bytes: Buffer): DecodableFormat | null {
  const [, codec] = ITEM.exec(bytes.toString("latin1", 0, MAX_ITEMS_BYTES)) ?? [];
  if (codec === undefined) return null;
  return codec === "av01" ? "avif" : "heic";
}
