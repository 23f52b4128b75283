import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  type ListPartsCommandOutput,
  type S3Client,
} from "@aws-sdk/client-s3";
import { nextCursor } from "#lib/next-cursor.js";
import { SECOND_MS } from "#lib/time.js";
import { type Encryption, encryptionInput } from "./encryption.js";
import type { MultipartClient, MultipartRef, PartPage } from "./object-store.js";
import { decodeKey } from "./s3-bucket.js";
import type { WithDeadline } from "./with-deadline.js";

/** Amazon S3 may take minutes for an object of terabytes. A call that is given up can be repeated, and storage continues meanwhile. */
const COMPLETE_TIMEOUT_MS = 30 * SECOND_MS;

/** A repeated completion gets the same error. */
const COMPLETION_REFUSALS = ["EntityTooSmall", "EntityTooLarge", "InvalidPartOrder"] as const;

/**
 * The operations on multipart uploads.
 *
 * @param clients `completingClient` sends the completions
 * @param place the bucket, and how storage encrypts the objects there
 */
export function createMultipartOperations(
  { client, completingClient }: { client: S3Client; completingClient: S3Client },
  { bucket, encryption }: { bucket: string; encryption: Encryption | null },
  withDeadline: WithDeadline,
): MultipartClient {
  const at = ({ path, uploadId }: MultipartRef) => ({ Bucket: bucket, Key: path, UploadId: uploadId });
  return {
    async createMultipart(path, { contentType, cacheControl }) {
      const command = new CreateMultipartUploadCommand({
        Bucket: bucket,
        Key: path,
        ContentType: contentType,
        CacheControl: cacheControl,
        ...encryptionInput(encryption),
      });
      const { UploadId: uploadId } = await withDeadline((http) => client.send(command, http));
      if (!uploadId) throw new Error("storage started a multipart upload without an ID");
      return uploadId;
    },

    listParts: (upload, after) =>
      withDeadline(async (http) => {
        const marker = after > 0 ? { PartNumberMarker: String(after) } : {};
        // Ceph 16 answers NoSuchKey for an unknown upload.
        const page = await unlessNamed(["NoSuchUpload", "NoSuchKey"], () =>
          client.send(new ListPartsCommand({ ...at(upload), ...marker }), http),
        );
        return typeof page === "string" ? null : toPartPage(page, after);
      }),

    completeMultipart: (upload, parts) =>
      withDeadline(async (http) => {
        const command = new CompleteMultipartUploadCommand({
          ...at(upload),
          MultipartUpload: {
            Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: `"${etag}"` })),
          },
        });
        const outcome = await unlessNamed(["NoSuchUpload", "InvalidPart", ...COMPLETION_REFUSALS], () =>
          completingClient.send(command, http),
        );
        if (typeof outcome !== "string") return "completed";
        if (outcome === "NoSuchUpload") return "unknown";
        return outcome === "InvalidPart" ? "changed" : "refused";
      }, COMPLETE_TIMEOUT_MS),

    async abortMultipart(upload) {
      await withDeadline((http) =>
        // Swift answers NoSuchKey for an upload that is complete.
        unlessNamed(["NoSuchUpload", "NoSuchKey"], () =>
          client.send(new AbortMultipartUploadCommand(at(upload)), http),
        ),
      );
    },

    async listMultiparts(prefix, cursor) {
      const command = new ListMultipartUploadsCommand({
        Bucket: bucket,
        Prefix: prefix,
        KeyMarker: cursor?.path,
        UploadIdMarker: cursor?.uploadId,
        // XML cannot represent every character that a key may contain.
        EncodingType: "url",
      });
      return withDeadline(async (http) => {
        const page = await client.send(command, http);
        const { NextKeyMarker: key, NextUploadIdMarker: uploadId = "" } = page;
        const next = key === undefined ? null : { path: decodeKey(key), uploadId };
        return {
          uploads: (page.Uploads ?? []).map((upload) => ({
            path: decodeKey(upload.Key ?? ""),
            uploadId: upload.UploadId ?? "",
            startedAt: upload.Initiated ?? new Date(0),
          })),
          nextCursor: nextCursor(page.IsTruncated, next, cursor),
        };
      });
    },
  };
}

/** Returns the answer of `send`, or the name of its error if it is one of `names`. */
async function unlessNamed<Answer, Name extends string>(
  names: readonly Name[],
  send: () => Promise<Answer>,
): Promise<Answer | Name> {
  try {
    return await send();
  } catch (error) {
    const name = names.find((expected) => error instanceof Error && error.name === expected);
    if (name === undefined) throw error;
    return name;
  }
}

function toPartPage(page: ListPartsCommandOutput, after: number): PartPage {
  const marker = Number(page.NextPartNumberMarker);
  return {
    parts: (page.Parts ?? []).map((part) => ({
      number: part.PartNumber ?? 0,
      sizeBytes: part.Size ?? 0,
      etag: (part.ETag ?? "").replaceAll('"', ""),
    })),
    nextCursor: nextCursor(page.IsTruncated, marker > after ? marker : null, after),
  };
}
