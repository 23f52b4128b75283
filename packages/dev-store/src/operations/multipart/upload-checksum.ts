import {
  algorithmOfName,
  type Checksum,
  type ChecksumAlgorithm,
  type ChecksumType,
  findChecksum,
  parseChecksum,
  startChecksum,
} from "../../body/checksums.js";
import { S3Error } from "../../errors.js";
import { amzValue, amzValues, type S3Request } from "../../http/s3-request.js";
import type { Upload, UploadChecksum } from "../../storage/open-uploads.js";
import type { XmlElement } from "../../xml/write-xml.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html; the first is the default. */
const TYPES: Record<ChecksumAlgorithm, readonly [ChecksumType, ...ChecksumType[]]> = {
  crc32: ["COMPOSITE", "FULL_OBJECT"],
  crc32c: ["COMPOSITE", "FULL_OBJECT"],
  crc64nvme: ["FULL_OBJECT"],
  sha1: ["COMPOSITE"],
  sha256: ["COMPOSITE"],
};

/** Reads the checksum that CreateMultipartUpload announces. @throws S3Error InvalidRequest, NotImplemented */
export function readUploadChecksum(request: S3Request): UploadChecksum | undefined {
  const name = amzValue(request, "x-amz-checksum-algorithm");
  const type = amzValue(request, "x-amz-checksum-type");
  if (name === undefined) {
    if (type === undefined) return undefined;
    throw new S3Error("InvalidRequest", "x-amz-checksum-type needs x-amz-checksum-algorithm.");
  }
  const algorithm = algorithmOfName(name);
  return { algorithm, type: requireType(algorithm, type ?? TYPES[algorithm][0]) };
}

/**
 * Refuses a part with another checksum than its upload announced. A composite checksum needs one of every part.
 *
 * @throws S3Error InvalidRequest
 */
export function requirePartChecksum({ checksum }: Upload, given: ChecksumAlgorithm | undefined): void {
  if (!checksum || given === checksum.algorithm) return;
  if (given === undefined && checksum.type === "FULL_OBJECT") return;
  throw new S3Error(
    "InvalidRequest",
    `Checksum Type mismatch occurred, expected checksum Type: ${checksum.algorithm}, actual checksum Type: ${given ?? "null"}`,
  );
}

/** Describes the announced checksum in a listing. */
export function uploadChecksumElements({ checksum }: Pick<Upload, "checksum">): XmlElement[] {
  if (!checksum) return [];
  return [
    ["ChecksumAlgorithm", checksum.algorithm.toUpperCase()],
    ["ChecksumType", checksum.type],
  ];
}

/** The checksum that a completed object gets. */
export interface ObjectChecksum extends UploadChecksum {
  /** The value that the client expects, in base64. */
  readonly expected: string | undefined;
}

/**
 * Reads the checksum of a completion. Without an announced algorithm, the completion itself may name one.
 *
 * @throws S3Error InvalidRequest, InvalidDigest
 */
export function readObjectChecksum(request: S3Request, upload: Upload): ObjectChecksum | undefined {
  const given = findChecksum(amzValues(request));
  const type = amzValue(request, "x-amz-checksum-type");
  const checksum = upload.checksum ?? (given && { algorithm: given.algorithm, type: "FULL_OBJECT" });
  if (type !== undefined && type !== (checksum?.type ?? "FULL_OBJECT"))
    throw new S3Error("InvalidRequest", `The upload was not created with the checksum type ${type}.`);
  if (!checksum) return undefined;
  requireType(checksum.algorithm, checksum.type);
  if (!given) return { ...checksum, expected: undefined };
  if (given.algorithm !== checksum.algorithm)
    throw new S3Error("InvalidRequest", `The upload was created with a ${checksum.algorithm} checksum.`);
  // A composite value may end with the number of parts.
  const value = checksum.type === "COMPOSITE" ? given.value.replace(/-\d{1,5}$/, "") : given.value;
  return { ...checksum, expected: parseChecksum(given.algorithm, value).value };
}

/** Computes the checksum of the parts' checksums. @throws S3Error InvalidPart for a part with another checksum */
export function compositeOf(algorithm: ChecksumAlgorithm, parts: readonly (Checksum | undefined)[]): string {
  const running = startChecksum(algorithm);
  for (const part of parts) {
    if (part?.algorithm !== algorithm) throw new S3Error("InvalidPart");
    running.update(Buffer.from(part.value, "base64"));
  }
  return running.digest();
}

function requireType(algorithm: ChecksumAlgorithm, type: string): ChecksumType {
  const known = TYPES[algorithm].find((each) => each === type);
  if (known) return known;
  throw new S3Error(
    "InvalidRequest",
    `The ${type} checksum type cannot be used with the ${algorithm} checksum algorithm.`,
  );
}
