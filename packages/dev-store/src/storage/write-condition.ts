import { S3Error } from "../errors.js";
import type { S3Request } from "../http/s3-request.js";

/** What must be true of the object that is there, when another is put in its place. */
export type WriteCondition =
  | { readonly kind: "none" }
  | { readonly kind: "absent" }
  /** `*`, or an ETag without quotes. */
  | { readonly kind: "match"; readonly etag: string };

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 *
 * @throws S3Error NotImplemented for what S3 does not offer either
 */
export function readWriteCondition(request: S3Request): WriteCondition {
  const ifNoneMatch = request.headers.get("if-none-match");
  const ifMatch = request.headers.get("if-match");
  if (ifNoneMatch !== undefined && (ifNoneMatch !== "*" || ifMatch !== undefined))
    throw new S3Error("NotImplemented", "A write accepts If-None-Match: * or If-Match: <etag>, not both.");
  if (ifNoneMatch !== undefined) return { kind: "absent" };
  if (ifMatch !== undefined) return { kind: "match", etag: ifMatch.replace(/^"(.*)"$/, "$1") };
  return { kind: "none" };
}

/** @throws S3Error PreconditionFailed; NoSuchKey when a match is asked of an object that is not there */
export function requireHeld(condition: WriteCondition, currentEtag: string | undefined): void {
  if (condition.kind === "absent" && currentEtag !== undefined) throw new S3Error("PreconditionFailed");
  if (condition.kind !== "match") return;
  if (currentEtag === undefined) throw new S3Error("NoSuchKey");
  if (condition.etag !== "*" && condition.etag !== currentEtag) throw new S3Error("PreconditionFailed");
}
