import type { StorageClient } from "#object-store/object-store.js";

/** The names that S3 gives the requests behind the calls of a bucket. */
export const s3Operations = {
  head: "HeadObject",
  read: "GetObject",
  write: "PutObject",
  copyFrom: "CopyObject",
  remove: "DeleteObject",
  list: "ListObjectsV2",
  createMultipart: "CreateMultipartUpload",
  listParts: "ListParts",
  completeMultipart: "CompleteMultipartUpload",
  abortMultipart: "AbortMultipartUpload",
  listMultiparts: "ListMultipartUploads",
  readCors: "GetBucketCors",
  writeCors: "PutBucketCors",
  check: "HeadBucket",
} satisfies Record<Exclude<keyof StorageClient, "close">, string>;
