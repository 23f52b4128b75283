const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The unsigned number in `bytes`, most significant byte first, as exactly `length` base62 digits. */
export function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let digits = "";
  for (let i = 0; i < length; i++) {
    digits = DIGITS[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  if (rest > 0n) throw new RangeError(`${bytes.length} bytes do not fit ${length} base62 digits`);
  return digits;
}
