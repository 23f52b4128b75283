const PREFIXES = ["", "K", "M", "G", "T"];

/** A number of bytes, or a text such as `"4MB"`. Units are steps of 1,024: `"1KB"` is 1,024 bytes. */
export type Size = number | `${number}${Unit}` | `${number} ${Unit}`;
type Unit = "B" | "KB" | "MB" | "GB" | "TB";

/**
 * Converts a size to bytes. Rounds down to whole bytes; the case of the unit does not matter.
 *
 * @throws {TypeError} if the value is not a size, is negative, or is larger than `Number.MAX_SAFE_INTEGER`
 * @example parseSize("4MB") // 4_194_304
 */
export function parseSize(size: Size): number {
  const [, number, prefix = ""] = /^\s*([\d.]+)\s*(?:([KMGT]?)B)?\s*$/i.exec(String(size)) ?? [];
  const bytes = Math.floor(Number(number) * 1024 ** PREFIXES.indexOf(prefix.toUpperCase()));
  if (Number.isSafeInteger(bytes)) {
    return bytes;
  }
  throw new TypeError(`"${size}" is not a size such as "4MB"`);
}
