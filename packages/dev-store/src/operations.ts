import { S3Error } from "./errors.js";
import { amzValue, type S3Request } from "./http/s3-request.js";
import { createBucket, deleteBucket, getBucketLocation, headBucket } from "./operations/bucket.js";
import { deleteBucketCors, getBucketCors, putBucketCors } from "./operations/bucket-cors.js";
import { copyObject } from "./operations/copy-object.js";
import { deleteObject, deleteObjects } from "./operations/delete-objects.js";
import { getObject, headObject } from "./operations/get-object.js";
import { getObjectTagging } from "./operations/get-object-tagging.js";
import { type OperationName, refuseUnhonoured } from "./operations/honoured-inputs.js";
import { listBuckets } from "./operations/list-buckets.js";
import { listObjects } from "./operations/list-objects.js";
import { listObjectsV2 } from "./operations/list-objects-v2.js";
import { completeMultipartUpload } from "./operations/multipart/complete-multipart-upload.js";
import {
  abortMultipartUpload,
  createMultipartUpload,
  listMultipartUploads,
} from "./operations/multipart/multipart-uploads.js";
import { listParts, uploadPart } from "./operations/multipart/parts.js";
import { uploadPartCopy } from "./operations/multipart/upload-part-copy.js";
import type { Operation } from "./operations/operation.js";
import {
  deletePublicAccessBlock,
  getPublicAccessBlock,
  putPublicAccessBlock,
} from "./operations/public-access-block.js";
import { putObject } from "./operations/put-object.js";

/** Maps method, resource kind and subresource to an operation. `honoured-inputs.ts` has the inputs of each. */
const OPERATIONS: Record<OperationName, Operation> = {
  "GET service": listBuckets,

  "PUT bucket": createBucket,
  "HEAD bucket": headBucket,
  "DELETE bucket": deleteBucket,
  "GET bucket": listObjects,
  "GET bucket list-type": listObjectsV2,
  "GET bucket location": getBucketLocation,
  "POST bucket delete": deleteObjects,
  "GET bucket uploads": listMultipartUploads,
  "PUT bucket cors": putBucketCors,
  "GET bucket cors": getBucketCors,
  "DELETE bucket cors": deleteBucketCors,
  "PUT bucket publicAccessBlock": putPublicAccessBlock,
  "GET bucket publicAccessBlock": getPublicAccessBlock,
  "DELETE bucket publicAccessBlock": deletePublicAccessBlock,

  "PUT object": putObject,
  "PUT object copy": copyObject,
  "GET object": getObject,
  "HEAD object": headObject,
  "DELETE object": deleteObject,
  "GET object tagging": getObjectTagging,
  "POST object uploads": createMultipartUpload,
  "PUT object uploadId": uploadPart,
  "PUT object uploadId copy": uploadPartCopy,
  "POST object uploadId": completeMultipartUpload,
  "GET object uploadId": listParts,
  "DELETE object uploadId": abortMultipartUpload,
};

/**
 * Query parameters that select another operation. The list names all of S3's, also those that this store does not offer: a
 * missing one would turn "delete the bucket's policy" into "delete the bucket".
 */
const SUBRESOURCES = new Set(
  (
    "accelerate acl analytics attributes cors delete encryption intelligent-tiering inventory legal-hold lifecycle " +
    "list-type location logging metadataTable metrics notification object-lock ownershipControls partNumber policy " +
    "policyStatus publicAccessBlock renameObject replication requestPayment restore retention select session " +
    "tagging torrent uploadId uploads versionId versioning versions website"
  ).split(" "),
);

/**
 * Finds the operation of a request.
 *
 * @throws S3Error MethodNotAllowed; NotImplemented, also if the operation would ignore an input of the request
 */
export function findOperation(request: S3Request): Operation {
  const name = nameOf(request);
  if (!isOperation(name))
    throw new S3Error(request.method === "PATCH" ? "MethodNotAllowed" : "NotImplemented");
  refuseUnhonoured(request, name);
  return OPERATIONS[name];
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

function nameOf(request: S3Request): string {
  const named = [...request.query.keys()].filter((name) => SUBRESOURCES.has(name)).sort();
  if (amzValue(request, "x-amz-copy-source") !== undefined) named.push("copy");
  const kind = request.key !== undefined ? "object" : request.bucket !== undefined ? "bucket" : "service";
  // partNumber is an argument of the operations that write a part, not an operation.
  const subresource = named.join(" ").replace(/^partNumber uploadId\b/, "uploadId");
  return [request.method, kind, subresource].join(" ").trim();
}
