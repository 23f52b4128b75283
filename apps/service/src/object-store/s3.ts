import { DeleteObjectCommand, HeadBucketCommand, NotFound, S3Client } from "@aws-sdk/client-s3";
import { StowageError } from "@stowage/schemas";
import { createHeadClient } from "./head-client.js";
import type { ObjectStore } from "./object-store.js";
import { createPresigner, type PresignerOptions } from "./presign.js";
import { createBucketOperations } from "./s3-bucket.js";

export interface S3Options extends Omit<PresignerOptions, "endpoint"> {
  /** The endpoint as this service reaches it. */
  endpoint: string;
  /** The endpoint as browsers reach it. */
  publicEndpoint: string;
  timeoutMs: number;
}

const RETRY_AFTER_SECONDS = 5;
/** For so long a bucket that was there is taken to be there. */
const BUCKET_SEEN_MS = 60_000;

/** Object storage over the S3 protocol, path-style, with static credentials. */
export function createS3Store(options: S3Options): ObjectStore {
  const { bucket } = options;
  const client = new S3Client({
    endpoint: options.endpoint,
    region: options.region,
    credentials: options.credentials,
    forcePathStyle: true,
    maxAttempts: 2,
    // Not every S3 server knows the newer checksums; the default would sign one of an empty body.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: options.timeoutMs, requestTimeout: options.timeoutMs },
  });

  /** Both attempts and the pause between them, in one deadline. */
  async function withDeadline<T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    try {
      return await send({ abortSignal: AbortSignal.timeout(options.timeoutMs) });
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

  let bucketSeenAt = -Infinity;
  /** To a HEAD a missing bucket looks like a missing object; it must not make every upload one that never came. */
  async function assertBucket(): Promise<void> {
    if (performance.now() - bucketSeenAt < BUCKET_SEEN_MS) return;
    await check();
    bucketSeenAt = performance.now();
  }

  const heads = createHeadClient(options);
  const { presignPut, presignGet } = createPresigner({ ...options, endpoint: options.publicEndpoint });
  return {
    presignPut,
    presignGet,
    ...createBucketOperations(client, bucket, withDeadline),

    async head(path) {
      const object = await heads.head(path).catch((error: unknown) => {
        throw unavailable(error);
      });
      if (!object) await assertBucket();
      return object;
    },

    async remove(path) {
      await withDeadline((http) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: path }), http));
    },

    check,
    close: () => {
      client.destroy();
      heads.close();
    },
  };
}

function unavailable(cause: unknown): StowageError {
  return new StowageError("unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
