import {
  CopyObjectCommand,
  DeleteObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  NotFound,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { StowageError } from "@stowage/schemas";
import { MINUTE_MS, SECOND_MS } from "#lib/time.js";
import { type Addressing, canBeVirtual } from "./addressing.js";
import { askEachTime } from "./credentials.js";
import { encryptionInput } from "./encryption.js";
import { createObjectClient } from "./object-client.js";
import type { StorageClient } from "./object-store.js";
import type { PresignerOptions } from "./presign.js";
import { createBucketOperations } from "./s3-bucket.js";
import { createMultipartOperations } from "./s3-multipart.js";
import type { HttpOptions } from "./with-deadline.js";

export interface S3Options extends Omit<PresignerOptions, "addressing"> {
  /** The endpoint that this service uses. Browsers may use another one. */
  endpoint: string;
  timeoutMs: number;
  /** @default "path" */
  addressing?: Addressing;
}

/** Storage copies 5 GiB in well under a minute, or not at all. */
const COPY_TIMEOUT_MS = 60 * SECOND_MS;
const RETRY_AFTER_SECONDS = 5;
/** For this long after a successful check the bucket is assumed to exist. */
const BUCKET_CHECK_VALID_MS = MINUTE_MS;

/** Connects to object storage with the S3 protocol. */
export function createS3Client(options: S3Options): StorageClient {
  const { bucket, encryption = null } = options;
  const client = connect(options);
  // A client has 50 connections. Storage may take half a minute for a completion or a copy, and other calls must not wait for that.
  const completingClient = connect(options);

  /** The deadline covers both attempts of the SDK and the pause between them. */
  async function withDeadline<T>(
    send: (options: HttpOptions) => Promise<T>,
    timeoutMs = options.timeoutMs,
  ): Promise<T> {
    try {
      return await send({ abortSignal: AbortSignal.timeout(timeoutMs), requestTimeout: timeoutMs });
    } catch (error) {
      throw error instanceof NotFound ? error : unavailable(error);
    }
  }

  async function check(): Promise<void> {
    try {
      await withDeadline((http) => client.send(new HeadBucketCommand({ Bucket: bucket }), http));
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      throw new StowageError("unavailable", {
        detail: `the bucket ${bucket} does not exist`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    }
  }

  let bucketCheckedAt = -Infinity;
  /** Storage answers 404 for a missing bucket too. Without this check a missing bucket would make every pending upload expire. */
  async function assertBucketExists(): Promise<void> {
    if (performance.now() - bucketCheckedAt < BUCKET_CHECK_VALID_MS) return;
    await check();
    bucketCheckedAt = performance.now();
  }

  const objectClient = createObjectClient(options);
  /** Returns the object that a call found, or null if the bucket has none. */
  async function find<Found>(call: Promise<Found | null>): Promise<Found | null> {
    const found = await call.catch(throwUnavailable);
    if (!found) await assertBucketExists();
    return found;
  }

  return {
    ...createBucketOperations(client, bucket, withDeadline),
    ...createMultipartOperations({ client, completingClient }, { bucket, encryption }, withDeadline),

    head: (path) => find(objectClient.head(path)),
    read: (path, signal, range) => find(objectClient.read(path, signal, range)),
    write: (path, bytes, contentType) => objectClient.write(path, bytes, contentType).catch(throwUnavailable),

    async copyFrom(source, { path, etag }, { contentType, contentDisposition, cacheControl }) {
      const command = new CopyObjectCommand({
        Bucket: bucket,
        Key: path,
        CopySource: encodeURI(`${source}/${path}`),
        CopySourceIfMatch: `"${etag}"`,
        // Otherwise the copy would have the type that its uploader claimed.
        MetadataDirective: "REPLACE",
        ContentType: contentType,
        ContentDisposition: contentDisposition,
        CacheControl: cacheControl,
        ...encryptionInput(encryption),
      });
      return withDeadline(async (http) => {
        try {
          const { CopyObjectResult: copy } = await completingClient.send(command, http);
          if (!copy?.ETag) throw new Error("storage did not say the ETag of the copy");
          return { etag: copy.ETag.replaceAll('"', "") };
        } catch (error) {
          if (error instanceof NoSuchKey || error instanceof NotFound) return "missing";
          if (error instanceof S3ServiceException && error.name === "PreconditionFailed") return "changed";
          throw error;
        }
      }, COPY_TIMEOUT_MS);
    },

    async remove(path) {
      await withDeadline((http) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: path }), http));
    },

    check,
    close: () => {
      client.destroy();
      completingClient.destroy();
      objectClient.close();
    },
  };
}

/** Creates the SDK's client. It tries a request twice, unless its body is a stream. */
export function connect({
  endpoint,
  region,
  bucket,
  credentials,
  timeoutMs,
  addressing = "path",
}: S3Options): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials: askEachTime(credentials),
    forcePathStyle: addressing === "path" || !canBeVirtual(endpoint, bucket),
    maxAttempts: 2,
    // Not every S3 server supports the newer checksums. The default would sign a checksum of an empty body.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs },
  });
}

function throwUnavailable(cause: unknown): never {
  throw unavailable(cause);
}

function unavailable(cause: unknown): StowageError {
  // Without keys the request was not sent, and the error says so.
  if (cause instanceof StowageError) return cause;
  return new StowageError("unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
