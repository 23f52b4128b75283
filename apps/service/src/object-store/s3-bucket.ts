import {
  type CORSRule,
  GetBucketCorsCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { nextCursor } from "#lib/next-cursor.js";
import type { CorsRule, StorageClient } from "./object-store.js";
import type { WithDeadline } from "./with-deadline.js";

/** The operations on the bucket as a whole: its listing and its CORS rules. */
export function createBucketOperations(
  client: S3Client,
  bucket: string,
  withDeadline: WithDeadline,
): Pick<StorageClient, "list" | "readCors" | "writeCors"> {
  return {
    async list(prefix, cursor) {
      const command = new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        ContinuationToken: cursor ?? undefined,
        // XML cannot represent every character that a key may contain.
        EncodingType: "url",
      });
      return withDeadline(async (http) => {
        const page = await client.send(command, http);
        return {
          objects: (page.Contents ?? []).map((object) => ({
            path: decodeKey(object.Key ?? ""),
            sizeBytes: object.Size ?? 0,
            etag: (object.ETag ?? "").replaceAll('"', ""),
            lastModified: object.LastModified ?? new Date(0),
          })),
          nextCursor: nextCursor(page.IsTruncated, page.NextContinuationToken, cursor),
        };
      });
    },

    readCors: () =>
      withDeadline(async (http) => {
        try {
          const { CORSRules } = await client.send(new GetBucketCorsCommand({ Bucket: bucket }), http);
          return (CORSRules ?? []).map(fromS3);
        } catch (error) {
          if (error instanceof Error && error.name === "NoSuchCORSConfiguration") return [];
          throw error;
        }
      }),

    async writeCors(rules) {
      const command = new PutBucketCorsCommand({
        Bucket: bucket,
        CORSConfiguration: { CORSRules: rules.map(toS3) },
      });
      await withDeadline((http) => client.send(command, http));
    },
  };
}

/** Decodes a key of a listing with `encoding-type=url`. AWS encodes a space as `+`, other storage as `%20`. */
export function decodeKey(key: string): string {
  return decodeURIComponent(key.replaceAll("+", " "));
}

function fromS3(rule: CORSRule): CorsRule {
  return {
    id: rule.ID ?? null,
    origins: rule.AllowedOrigins ?? [],
    methods: rule.AllowedMethods ?? [],
    headers: rule.AllowedHeaders ?? [],
    exposedHeaders: rule.ExposeHeaders ?? [],
    maxAgeSeconds: rule.MaxAgeSeconds ?? null,
  };
}

function toS3(rule: CorsRule): CORSRule {
  return {
    ...(rule.id === null ? {} : { ID: rule.id }),
    AllowedOrigins: rule.origins,
    AllowedMethods: rule.methods,
    AllowedHeaders: rule.headers,
    ExposeHeaders: rule.exposedHeaders,
    ...(rule.maxAgeSeconds === null ? {} : { MaxAgeSeconds: rule.maxAgeSeconds }),
  };
}
