/**
 * A number of bytes, or a text such as `"4MB"`. Units are decimal, as in the file managers of most systems: 1 KB is 1,000 bytes, 1 MB
 * is 1,000,000. Those with an i are binary: 1 KiB is 1,024 bytes.
 */
export type Size = number | `${number}${Unit}` | `${number} ${Unit}`;
type Unit = "B" | "KB" | "MB" | "GB" | "TB" | "KiB" | "MiB" | "GiB" | "TiB";

const PREFIXES = ["", "K", "M", "G", "T"];

/**
 * Converts a size to bytes. Rounds down to whole bytes; the case of the unit does not matter.
 *
 * @throws {TypeError} if the value is not a size, is negative, or is larger than `Number.MAX_SAFE_INTEGER`
 * @example parseSize("4MB") // 4_000_000
 * @example parseSize("4MiB") // 4_194_304
 */
export function parseSize(size: Size): number {
  const [, number, prefix = "", binary = ""] =
    /^\s*([\d.]+)\s*(?:(?:([KMGT])(I?))?B)?\s*$/i.exec(String(size)) ?? [];
  const step = binary === "" ? 1000 : 1024;
  const exact = Number(number) * step ** PREFIXES.indexOf(prefix.toUpperCase());
  // A product such as 4.35 * 1000 can be a little less than the number that it means.
  const bytes = Number.isInteger(exact) ? exact : Math.floor(Number(exact.toPrecision(15)));
  if (Number.isSafeInteger(bytes)) {
    return bytes;
  }
  throw new TypeError(`"${size}" is not a size such as "4MB"`);
}
