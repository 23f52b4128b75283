import type { RequestBody } from "../body/request-body.js";
import { S3Error } from "../errors.js";
import type { Reply } from "../http/reply.js";
import type { S3Request } from "../http/s3-request.js";
import type { Bucket } from "../storage/bucket.js";
import type { Storage } from "../storage/storage.js";

/** What a bucket demands of each request that writes an object. */
export interface BucketDemands {
  /**
   * As a bucket policy that denies `s3:PutObject` without this header. The store only says that it encrypts, and answers ETags as storage
   * that does: the bytes on this disk are not encrypted.
   */
  readonly encryption?: "AES256" | "aws:kms";
  /** As Object Lock with a default retention: each PUT needs `Content-MD5` or a checksum. The store keeps no versions. */
  readonly contentMd5?: boolean;
  /** The largest number of a part, as Swift has it. @default 10,000 */
  readonly maxPartNumber?: number;
}

/** The input of every operation: an authenticated request and its dependencies. */
export interface OperationContext {
  readonly request: S3Request;
  readonly body: RequestBody;
  readonly storage: Storage;
  readonly region: string;
  /** By the name of the bucket. */
  readonly demands: ReadonlyMap<string, BucketDemands>;
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
