import { randomBytes } from "node:crypto";
import type { BodyClaims } from "../body/body-claims.js";
import { S3Error } from "../errors.js";
import { amzValues, type S3Request } from "../http/s3-request.js";
import type { Encryption } from "../storage/object-records.js";
import type { BucketDemands, OperationContext } from "./operation.js";

const ALGORITHM = "x-amz-server-side-encryption";
const KEY_ID = "x-amz-server-side-encryption-aws-kms-key-id";
/** Both, for `honoured-inputs.ts`. */
export const ENCRYPTION_HEADERS = [ALGORITHM, KEY_ID] as const;

/**
 * Reads how the object of a request has to be encrypted.
 *
 * @throws S3Error AccessDenied if the bucket demands another encryption; NotImplemented if it demands none, because this store would
 * ignore the header; InvalidArgument
 */
export function readEncryption({ request, demands }: OperationContext): Encryption | undefined {
  const amz = amzValues(request);
  const algorithm = amz.get(ALGORITHM);
  const keyId = amz.get(KEY_ID);
  const demanded = demandsOf(request, demands).encryption;
  if (!demanded) {
    if (algorithm === undefined && keyId === undefined) return undefined;
    throw new S3Error("NotImplemented", `This store implements ${ALGORITHM} only where a bucket demands it.`);
  }
  if (algorithm !== undefined && algorithm !== "AES256" && algorithm !== "aws:kms")
    throw new S3Error("InvalidArgument", "The encryption method specified is not supported");
  if (keyId !== undefined && algorithm !== "aws:kms")
    throw new S3Error("InvalidArgument", `${KEY_ID} needs ${ALGORITHM}: aws:kms.`);
  if (algorithm !== demanded)
    throw new S3Error(
      "AccessDenied",
      `Access Denied. The bucket demands ${ALGORITHM}: ${demanded} with an explicit deny in its policy.`,
    );
  return { algorithm, keyId };
}

/** The headers that say how an object is encrypted. */
export function encryptionHeaders(encryption: Encryption | undefined): Record<string, string> {
  if (!encryption) return {};
  const { algorithm, keyId } = encryption;
  return { [ALGORITHM]: algorithm, ...(keyId === undefined ? {} : { [KEY_ID]: keyId }) };
}

/** The ETag of bytes: their MD5, but with a key of KMS something that has only its form. */
export function etagOf(md5: string, encryption: Encryption | undefined): string {
  return encryption?.algorithm === "aws:kms" ? randomBytes(16).toString("hex") : md5;
}

/** @throws S3Error InvalidRequest if the bucket demands a checksum, and the body has none */
export function requireChecksum(
  { request, demands }: OperationContext,
  { md5, checksum, trailer }: BodyClaims,
  kind: "Object" | "Part",
): void {
  // A trailer does not count for parts: AWS refuses it.
  const isGiven = md5 !== undefined || checksum !== undefined || (kind === "Object" && trailer !== undefined);
  if (isGiven || !demandsOf(request, demands).contentMd5) return;
  throw new S3Error(
    "InvalidRequest",
    `Content-MD5 OR x-amz-checksum- HTTP header is required for Put ${kind} requests with Object Lock parameters`,
  );
}

export function demandsOf({ bucket }: S3Request, demands: ReadonlyMap<string, BucketDemands>): BucketDemands {
  return (bucket !== undefined && demands.get(bucket)) || {};
}
