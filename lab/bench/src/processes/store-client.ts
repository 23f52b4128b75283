import {
  CreateBucketCommand,
  DeleteObjectCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { Store } from "./start-dev-store.js";

const HOUR_SECONDS = 3600;

/** Storage operations that are not measured. */
export interface StoreClient {
  createBucket(): Promise<void>;
  /** A presigned URL for one PUT, valid for an hour. */
  urlToPut(key: string): Promise<string>;
  remove(key: string): Promise<void>;
  /** Lets pages of every origin send any request to the bucket, and read the ETag of its answer. */
  allowPages(): Promise<void>;
}

export function createStoreClient({ bucket, accessKeyId, secretAccessKey, ...rest }: Store): StoreClient {
  const client = new S3Client({
    ...rest,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    // Otherwise a presigned URL would require the checksum of an empty body.
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  return {
    async createBucket() {
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
    },
    urlToPut: (key) =>
      getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: HOUR_SECONDS }),
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
    async allowPages() {
      const rule = {
        AllowedOrigins: ["*"],
        AllowedMethods: ["GET", "HEAD", "PUT", "POST", "DELETE"],
        AllowedHeaders: ["*"],
        ExposeHeaders: ["ETag"],
      };
      await client.send(
        new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [rule] } }),
      );
    },
  };
}
