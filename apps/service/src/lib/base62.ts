const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** As many digits as a number of JavaScript's holds without loss: long division by them, not by one digit, is several times as fast. */
const CHUNK_DIGITS = 8;
const CHUNK = 62n ** BigInt(CHUNK_DIGITS);

/** The unsigned number in `bytes`, most significant byte first, as exactly `length` base62 digits. */
export function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let digits = "";
  while (digits.length < length) {
    digits = chunkOf(Number(rest % CHUNK)) + digits;
    rest /= CHUNK;
  }
  const surplus = digits.length - length;
  if (rest > 0n || /[^0]/.test(digits.slice(0, surplus)))
    throw new RangeError(`${bytes.length} bytes do not fit ${length} base62 digits`);
  return digits.slice(surplus);
}

function chunkOf(value: number): string {
  let digits = "";
  for (let at = 0; at < CHUNK_DIGITS; at++) {
    digits = DIGITS[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
