/**
 * CRC-32C (Castagnoli), RFC 3720 appendix B.4, continued from `value`. node:zlib has only the other CRC-32.
 */
export function crc32c(data: Uint8Array, value = 0): number {
  let crc = ~value;
  for (let i = 0; i < data.length; i++) crc = TABLE[(crc ^ data[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});
