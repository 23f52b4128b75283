/** Bytes, or a text such as `"4MB"`: steps of 1,024, as file managers and upload widgets count. */
export type Size = number | `${number}${Unit}` | `${number} ${Unit}`;
type Unit = "B" | "KB" | "MB" | "GB" | "TB";

/**
 * Whole bytes of a size.
 *
 * @throws {TypeError} for what is no size, or a negative one
 * @example parseSize("4MB") // 4_194_304
 */
export function parseSize(size: Size): number {
  const [, number, prefix = ""] = /^\s*([\d.]+)\s*(?:([KMGT]?)B)?\s*$/i.exec(String(size)) ?? [];
  const bytes = Math.floor(Number(number) * 1024 ** " KMGT".indexOf(prefix.toUpperCase()));
  if (Number.isSafeInteger(bytes)) return bytes;
  throw new TypeError(`"${size}" is not a size such as "4MB"`);
}
