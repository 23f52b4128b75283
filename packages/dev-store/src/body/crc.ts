/** CRC-32C (Castagnoli), RFC 3720 appendix B.4, continued from `value`. node:zlib has only the ISO-HDLC CRC-32. */
export function crc32c(data: Uint8Array, value = 0): number {
  let crc = ~value;
  for (let i = 0; i < data.length; i++) crc = CRC32C[(crc ^ data[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** A 64-bit value as two unsigned halves. BigInt arithmetic would be a hundred times slower. */
export interface Uint64 {
  readonly high: number;
  readonly low: number;
}

/** CRC-64/NVME (NVM Express NVM Command Set 1.0, section 5.2.1.3.4), continued from `value`. */
export function crc64nvme(data: Uint8Array, value: Uint64 = { high: 0, low: 0 }): Uint64 {
  let high = ~value.high;
  let low = ~value.low;
  for (let i = 0; i < data.length; i++) {
    const at = (low ^ data[i]!) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ CRC64_LOW[at]!;
    high = (high >>> 8) ^ CRC64_HIGH[at]!;
  }
  return { high: ~high >>> 0, low: ~low >>> 0 };
}

const CRC32C = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

const CRC64_HIGH = new Int32Array(256);
const CRC64_LOW = new Int32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let [high, low] = [0, byte];
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (isOdd) {
      high ^= 0x9a6c9329;
      low ^= 0xac4bc9b5;
    }
  }
  CRC64_HIGH[byte] = high;
  CRC64_LOW[byte] = low;
}
