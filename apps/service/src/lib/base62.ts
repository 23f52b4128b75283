const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Writes the unsigned number in `bytes`, most significant byte first, as exactly `length` base62 digits.
 *
 * @throws {RangeError} if the number needs more digits
 */
export function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let digits = "";
  for (let count = 0; count < length; count++) {
    digits = DIGITS[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  if (rest > 0n) throw new RangeError(`${bytes.length} bytes do not fit into ${length} base62 digits`);
  return digits;
}
