import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { S3Error } from "../errors.js";
import { crc32c, crc64nvme } from "./crc.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html */
export const CHECKSUM_ALGORITHMS = ["crc32", "crc32c", "crc64nvme", "sha1", "sha256"] as const;
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/** Whether a checksum covers the bytes of an object, or the checksums of its parts. */
export type ChecksumType = "FULL_OBJECT" | "COMPOSITE";

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** As it is sent: base64 of the big-endian digest; a composite one ends with `-<number of parts>`. */
  readonly value: string;
}

export interface RunningChecksum {
  update(chunk: Uint8Array): void;
  /** Base64. */
  digest(): string;
}

export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  if (algorithm === "crc32") return runningCrc32(crc32);
  if (algorithm === "crc32c") return runningCrc32(crc32c);
  if (algorithm === "crc64nvme") return runningCrc64();
  const hash = createHash(algorithm);
  return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest("base64") };
}

export function typeOfChecksum({ value }: Checksum): ChecksumType {
  return value.includes("-") ? "COMPOSITE" : "FULL_OBJECT";
}

/** Maps a header such as `x-amz-checksum-crc32` to its algorithm. @throws S3Error NotImplemented */
export function algorithmOfHeader(name: string): ChecksumAlgorithm {
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => name === `x-amz-checksum-${known}`);
  if (!algorithm) throw new S3Error("NotImplemented", `This store cannot verify ${name}.`);
  return algorithm;
}

/** Maps a name such as `CRC32` to its algorithm. @throws S3Error NotImplemented */
export function algorithmOfName(name: string): ChecksumAlgorithm {
  return algorithmOfHeader(`x-amz-checksum-${name.toLowerCase()}`);
}

const DIGEST_BYTES: Record<ChecksumAlgorithm, number> = {
  crc32: 4,
  crc32c: 4,
  crc64nvme: 8,
  sha1: 20,
  sha256: 32,
};

/** Checks the length and the encoding of a checksum. @throws S3Error InvalidDigest */
export function parseChecksum(algorithm: ChecksumAlgorithm, value: string): Checksum {
  const bytes = Buffer.from(value, "base64");
  if (bytes.length !== DIGEST_BYTES[algorithm] || bytes.toString("base64") !== value)
    throw new S3Error("InvalidDigest", `The value of x-amz-checksum-${algorithm} is not valid.`);
  return { algorithm, value };
}

const NOT_A_CHECKSUM = new Set(["x-amz-checksum-mode", "x-amz-checksum-algorithm", "x-amz-checksum-type"]);

/** Finds the one `x-amz-checksum-<algorithm>` of a request. @throws S3Error InvalidRequest for several, NotImplemented */
export function findChecksum(amz: ReadonlyMap<string, string>): Checksum | undefined {
  const given = [...amz].filter(([name]) => name.startsWith("x-amz-checksum-") && !NOT_A_CHECKSUM.has(name));
  const [only, more] = given;
  if (more) throw new S3Error("InvalidRequest", "Expecting a single x-amz-checksum- header.");
  return only && { algorithm: algorithmOfHeader(only[0]), value: only[1] };
}

function runningCrc32(step: (data: Uint8Array, value: number) => number): RunningChecksum {
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

function runningCrc64(): RunningChecksum {
  let value = { high: 0, low: 0 };
  return {
    update: (chunk) => void (value = crc64nvme(chunk, value)),
    digest: () => {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt32BE(value.high);
      bytes.writeUInt32BE(value.low, 4);
      return bytes.toString("base64");
    },
  };
}
