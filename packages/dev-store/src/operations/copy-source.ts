import { type Checksum, type ChecksumAlgorithm, startChecksum } from "../body/checksums.js";
import { S3Error } from "../errors.js";
import { amzValue, amzValues } from "../http/s3-request.js";
import type { IncomingFile } from "../storage/incoming-file.js";
import { openObject } from "../storage/objects.js";
import type { ByteRange } from "../storage/sealed-file.js";
import type { StoredObject } from "../storage/stored-object.js";
import { readConditions } from "./conditions.js";
import type { OperationContext } from "./operation.js";

export interface CopySource {
  readonly bucket: string;
  readonly key: string;
}

/** The limit of one copy: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const MAX_COPY_BYTES = 5 * 1024 ** 3;

/** Reads `x-amz-copy-source`. @throws S3Error InvalidArgument, NotImplemented */
export function readCopySource({ request }: OperationContext): CopySource {
  const text = amzValue(request, "x-amz-copy-source") ?? "";
  // Any other "?" is part of the key: MinIO's client does not encode it.
  if (text.includes("?versionId=")) throw new S3Error("NotImplemented", "This store has no versions.");
  const shape = /^\/?([^/]+)\/([^]+)$/.exec(decode(text));
  if (!shape)
    throw new S3Error("InvalidArgument", "x-amz-copy-source must be <bucket>/<key>, percent-encoded.");
  return { bucket: shape[1]!, key: shape[2]! };
}

/**
 * Opens the source of a copy, checks the conditions `x-amz-copy-source-if-*`, and closes it after `use`.
 *
 * @throws S3Error NoSuchBucket, NoSuchKey, PreconditionFailed
 */
export async function withCopySource<T>(
  context: OperationContext,
  { bucket, key }: CopySource,
  use: (object: StoredObject) => Promise<T>,
): Promise<T> {
  const from = context.storage.bucket(bucket);
  if (!from) throw new S3Error("NoSuchBucket");
  const object = await openObject(from, key);
  if (!object) throw new S3Error("NoSuchKey");
  try {
    const result = readConditions(amzValues(context.request), "x-amz-copy-source-", object.record);
    if (result === "not-modified") throw new S3Error("PreconditionFailed");
    return await use(object);
  } finally {
    await object.close();
  }
}

/** @throws S3Error InvalidRequest, if one copy may not move so many bytes */
export function requireCopySize(sizeBytes: number): void {
  if (sizeBytes <= MAX_COPY_BYTES) return;
  throw new S3Error(
    "InvalidRequest",
    `The specified copy source is larger than the maximum allowable size for a copy source: ${MAX_COPY_BYTES}`,
  );
}

/** Copies the bytes of a source, and computes their MD5 in hex and the checksum. */
export async function copyBytes(
  object: StoredObject,
  file: IncomingFile,
  { range, algorithm }: { range?: ByteRange; algorithm: ChecksumAlgorithm | undefined },
): Promise<{ etag: string; checksum: Checksum | undefined }> {
  const running = algorithm && startChecksum(algorithm);
  for await (const block of object.blocks(range)) {
    running?.update(block);
    await file.write(block);
  }
  const etag = (await file.end()).toString("hex");
  return { etag, checksum: running && { algorithm, value: running.digest() } };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error("InvalidArgument", "x-amz-copy-source is not valid percent-encoding.");
  }
}
