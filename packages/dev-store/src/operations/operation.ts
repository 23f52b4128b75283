import type { RequestBody } from "../body/request-body.js";
import { S3Error } from "../errors.js";
import type { Reply } from "../http/reply.js";
import type { S3Request } from "../http/s3-request.js";
import type { Bucket } from "../storage/bucket.js";
import type { Storage } from "../storage/storage.js";

/** What every operation is given: an authenticated request, and the world as far as it may touch it. */
export interface OperationContext {
  readonly request: S3Request;
  readonly body: RequestBody;
  readonly storage: Storage;
  readonly region: string;
  readonly now: () => Date;
}

export type Operation = (context: OperationContext) => Promise<Reply>;

/** The bucket that the request names. @throws S3Error NoSuchBucket */
export function bucketOf({ storage, request }: OperationContext): Bucket {
  const bucket = request.bucket === undefined ? undefined : storage.bucket(request.bucket);
  if (!bucket) throw new S3Error("NoSuchBucket");
  return bucket;
}

/** The key that the request names. The table sends no request without one to an operation on objects. */
export function keyOf({ request }: OperationContext): string {
  if (request.key === undefined) throw new Error("An operation on an object was asked of a bucket.");
  return request.key;
}
