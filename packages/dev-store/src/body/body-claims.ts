import { S3Error } from "../errors.js";
import { amzValues, type S3Request } from "../http/s3-request.js";
import {
  algorithmOfHeader,
  algorithmOfName,
  type Checksum,
  type ChecksumAlgorithm,
  findChecksum,
  parseChecksum,
} from "./checksums.js";

/** What a request declares about its body. `receiveBody` enforces all of it. */
export interface BodyClaims {
  /** The size of the object, without the framing of aws-chunked. */
  readonly sizeBytes: number;
  readonly framing: BodyFraming;
  readonly md5: Buffer | undefined;
  /** Hex. */
  readonly sha256: string | undefined;
  readonly checksum: Checksum | undefined;
  /** The algorithm of a checksum that follows the body in a trailer. */
  readonly trailer: ChecksumAlgorithm | undefined;
}

export type BodyFraming = "plain" | "chunks" | "signed-chunks" | "signed-chunks-and-trailer";

/** The limit of one PUT and of one part: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const MAX_BODY_BYTES = 5 * 1024 ** 3;

/** @throws S3Error MissingContentLength, EntityTooLarge, InvalidDigest, InvalidRequest, NotImplemented */
export function readBodyClaims(request: S3Request, payloadHash: string): BodyClaims {
  const framing = readFraming(payloadHash);
  const amz = amzValues(request);
  const length =
    framing === "plain" ? request.headers.get("content-length") : amz.get("x-amz-decoded-content-length");
  // A chunked body without aws-chunked declares no length to check against.
  if (length === undefined) throw missingLength(request);
  if (!/^\d{1,15}$/.test(length))
    throw new S3Error("InvalidArgument", "The length of the body is not a number.");
  if (Number(length) > MAX_BODY_BYTES) throw new S3Error("EntityTooLarge");
  const checksum = isChecksumOfBody(request) ? readChecksum(amz) : undefined;
  const trailer = readTrailer(amz.get("x-amz-trailer"), framing);
  if (checksum && trailer) throw new S3Error("InvalidRequest", "Expecting a single x-amz-checksum- header.");
  requireAnnounced(amz.get("x-amz-sdk-checksum-algorithm"), checksum?.algorithm ?? trailer);
  return {
    sizeBytes: Number(length),
    framing,
    md5: readContentMd5(request.headers.get("content-md5")),
    sha256: /^[0-9a-f]{64}$/.test(payloadHash) ? payloadHash : undefined,
    checksum,
    trailer,
  };
}

function missingLength({ headers }: S3Request): S3Error {
  const { code, message } = new S3Error("MissingContentLength");
  const isChunked = /\bchunked\b/i.test(headers.get("transfer-encoding") ?? "");
  const reason = isChunked ? "The request was sent in chunks (Transfer-Encoding: chunked)." : "";
  return new S3Error(code, `${message} ${reason}`.trim());
}

function readFraming(payloadHash: string): BodyFraming {
  if (payloadHash === "UNSIGNED-PAYLOAD" || /^[0-9a-f]{64}$/.test(payloadHash)) return "plain";
  if (payloadHash === "STREAMING-UNSIGNED-PAYLOAD-TRAILER") return "chunks";
  if (payloadHash === "STREAMING-AWS4-HMAC-SHA256-PAYLOAD") return "signed-chunks";
  if (payloadHash === "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER") return "signed-chunks-and-trailer";
  if (payloadHash.startsWith("STREAMING-"))
    throw new S3Error("NotImplemented", "This store does not support this streaming signature.");
  throw new S3Error(
    "InvalidArgument",
    "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-* or a SHA-256 in hex.",
  );
}

function readContentMd5(value: string | undefined): Buffer | undefined {
  if (value === undefined) return undefined;
  const digest = Buffer.from(value, "base64");
  if (digest.length !== 16 || digest.toString("base64") !== value)
    throw new S3Error(
      "InvalidDigest",
      "The Content-MD5 you specified is not valid: it is base64 of 16 bytes.",
    );
  return digest;
}

// On CompleteMultipartUpload the checksum describes the resulting object, not the request body.
function isChecksumOfBody(request: S3Request): boolean {
  return !(request.method === "POST" && request.query.has("uploadId"));
}

function readChecksum(amz: ReadonlyMap<string, string>): Checksum | undefined {
  const given = findChecksum(amz);
  return given && parseChecksum(given.algorithm, given.value);
}

function readTrailer(header: string | undefined, framing: BodyFraming): ChecksumAlgorithm | undefined {
  if (header === undefined) return undefined;
  if (framing === "plain" || framing === "signed-chunks")
    throw new S3Error("InvalidRequest", "A body with x-amz-trailer needs a STREAMING-*-TRAILER payload.");
  return algorithmOfHeader(header.toLowerCase());
}

/** Clients announce the algorithm of the checksum that they send. Without the checksum the bytes would be unchecked. */
function requireAnnounced(name: string | undefined, sent: ChecksumAlgorithm | undefined): void {
  if (name === undefined || algorithmOfName(name) === sent) return;
  throw new S3Error(
    "InvalidRequest",
    "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.",
  );
}
