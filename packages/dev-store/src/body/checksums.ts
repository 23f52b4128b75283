import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { S3Error } from "../errors.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html; crc64nvme is not supported. */
export const CHECKSUM_ALGORITHMS = ["crc32", "crc32c", "sha1", "sha256"] as const;
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/** A checksum as it is sent: base64 of the big-endian digest. */
export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly value: string;
}

export interface RunningChecksum {
  update(chunk: Uint8Array): void;
  /** Base64. */
  digest(): string;
}

export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  if (algorithm === "crc32") return runningCrc(crc32);
  if (algorithm === "crc32c") return runningCrc(crc32c);
  const hash = createHash(algorithm);
  return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest("base64") };
}

/** Maps a header such as `x-amz-checksum-crc32` to its algorithm. @throws S3Error NotImplemented */
export function algorithmOfHeader(name: string): ChecksumAlgorithm {
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => name === `x-amz-checksum-${known}`);
  if (!algorithm) throw new S3Error("NotImplemented", `This store cannot verify ${name}.`);
  return algorithm;
}

const DIGEST_BYTES: Record<ChecksumAlgorithm, number> = { crc32: 4, crc32c: 4, sha1: 20, sha256: 32 };

/** Checks the length and the encoding of a checksum. @throws S3Error InvalidDigest */
export function parseChecksum(algorithm: ChecksumAlgorithm, value: string): Checksum {
  const bytes = Buffer.from(value, "base64");
  if (bytes.length !== DIGEST_BYTES[algorithm] || bytes.toString("base64") !== value)
    throw new S3Error("InvalidDigest", `The value of x-amz-checksum-${algorithm} is not valid.`);
  return { algorithm, value };
}

function runningCrc(step: (data: Uint8Array, value: number) => number): RunningChecksum {
  let value = 0;
  return {
    update: (chunk) => void (value = step(chunk, value)),
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes.toString("base64");
    },
  };
}

/**
 * CRC-32C (Castagnoli), RFC 3720 appendix B.4, continued from `value`. node:zlib has only the ISO-HDLC CRC-32.
 */
function crc32c(data: Uint8Array, value = 0): number {
  let crc = ~value;
  for (let i = 0; i < data.length; i++) crc = TABLE[(crc ^ data[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});
