import type { RequestBody } from "../body/request-body.js";
import { S3Error } from "../errors.js";
import type { Reply } from "../http/reply.js";
import type { S3Request } from "../http/s3-request.js";
import type { Bucket } from "../storage/bucket.js";
import type { Storage } from "../storage/storage.js";

/** The input of every operation: an authenticated request and its dependencies. */
export interface OperationContext {
  readonly request: S3Request;
  readonly body: RequestBody;
  readonly storage: Storage;
  readonly region: string;
  readonly now: () => Date;
}

export type Operation = (context: OperationContext) => Promise<Reply>;

/** Returns the bucket of the request. @throws S3Error NoSuchBucket */
export function bucketOf({ storage, request }: OperationContext): Bucket {
  const bucket = request.bucket === undefined ? undefined : storage.bucket(request.bucket);
  if (!bucket) throw new S3Error("NoSuchBucket");
  return bucket;
}

/** Returns the key of the request. `findOperation` calls object operations only for requests with a key. */
export function keyOf({ request }: OperationContext): string {
  if (request.key === undefined) throw new Error("An object operation was called for a bucket.");
  return request.key;
}
