const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Writes the unsigned number in `bytes`, most significant byte first, as exactly `length` base62 digits.
 *
 * @throws {RangeError} if the number needs more digits
 */
export function base62(bytes: Uint8Array, length: number): string {
  const rest = Uint8Array.from(bytes);
  let digits = "";
  for (let count = 0; count < length; count++) digits = DIGITS[divide(rest, 62)] + digits;
  if (rest.some((byte) => byte > 0)) {
    throw new RangeError(`${bytes.length} bytes do not fit into ${length} base62 digits`);
  }
  return digits;
}

/** Long division. Replaces the number by its quotient, and returns the remainder. */
function divide(number: Uint8Array, divisor: number): number {
  let remainder = 0;
  for (let index = 0; index < number.length; index++) {
    const dividend = remainder * 256 + number[index]!;
    number[index] = Math.floor(dividend / divisor);
    remainder = dividend % divisor;
  }
  return remainder;
}
