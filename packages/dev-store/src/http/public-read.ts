import { S3Error } from "../errors.js";
import type { RequestBody } from "../body/request-body.js";
import { findOperation } from "../operations.js";
import type { OperationContext } from "../operations/operation.js";
import type { Reply } from "./reply.js";
import type { S3Request } from "./s3-request.js";

/**
 * Whether this request reads one object of a public bucket without a signature. A request that has any part of a signature is checked
 * as such, and parameters need one: on AWS too, only signed requests choose headers of the answer.
 */
export function isPublicRead(request: S3Request, publicBuckets: ReadonlySet<string>): boolean {
  const { method, bucket, key, query, headers } = request;
  if (method !== "GET" && method !== "HEAD") return false;
  if (bucket === undefined || key === undefined || !publicBuckets.has(bucket)) return false;
  const isSigned = [...headers.keys()].some((name) => name === "authorization" || name.startsWith("x-amz-"));
  return query.size === 0 && !isSigned;
}

/**
 * Answers an object of a public bucket. A missing object is 403 and not 404, as on AWS: only a user who may list the bucket learns which
 * objects exist.
 *
 * An object with a key of KMS is decrypted for signed requests only.
 *
 * @throws S3Error AccessDenied, InvalidArgument, NoSuchBucket, and the errors of the operation
 */
export async function readPublicObject(context: Omit<OperationContext, "body">): Promise<Reply> {
  const { storage, request } = context;
  const isBlocked = storage.bucket(request.bucket ?? "")?.settings.publicAccessBlock?.RestrictPublicBuckets;
  if (isBlocked) throw new S3Error("AccessDenied");
  try {
    const reply = await findOperation(request)({ ...context, body: UNREAD_BODY });
    if (reply.headers?.["x-amz-server-side-encryption"] === "aws:kms") {
      if (typeof reply.body === "object") reply.body.destroy();
      throw new S3Error(
        "InvalidArgument",
        "Requests specifying Server Side Encryption with AWS KMS managed keys require AWS Signature Version 4.",
      );
    }
    return reply;
  } catch (error) {
    throw error instanceof S3Error && error.code === "NoSuchKey" ? new S3Error("AccessDenied") : error;
  }
}

/** No operation that reads an object reads a body. */
const UNREAD_BODY: RequestBody = {
  claims() {
    throw new S3Error("AccessDenied");
  },
  receive: () => Promise.reject(new S3Error("AccessDenied")),
};
