import { S3Error } from "../errors.js";
import type { S3Request } from "../http/s3-request.js";
import type { WriteCondition } from "../storage/write-condition.js";

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
