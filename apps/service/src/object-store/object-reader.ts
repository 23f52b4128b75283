import {
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { StowageError } from "@stowage/schemas";
import { headersOf, type KeptHeaders, limited, place } from "./copy-ends.js";
import { describeFailure, isKnown, ObjectChangedError, ObjectRefusedError } from "./object-errors.js";
import type { ByteRange, StoredObject } from "./object-store.js";
import { collect } from "./part-bytes.js";
import { connect, type S3Options } from "./s3.js";

/** An object with all that storage keeps of it. */
export interface DescribedObject extends StoredObject {
  headers: KeptHeaders;
  lastModified: Date | undefined;
}

/** Reads the objects of a bucket. Every call has a time limit: a body may stand still for a minute. */
export interface ObjectReader {
  /** @returns null if there is no object. @throws {ObjectRefusedError}; {@link StowageError} `unavailable` */
  describe(key: string): Promise<DescribedObject | null>;
  /**
   * Reads bytes of an object into memory.
   *
   * @param range which bytes; null for all
   * @throws {ObjectChangedError} if it has another ETag or size; {@link ObjectRefusedError}; {@link StowageError} `unavailable`
   */
  read(key: string, object: StoredObject, range: ByteRange | null): Promise<Uint8Array>;
  close(): void;
}

export function createObjectReader(options: S3Options): ObjectReader {
  const client = connect(options);
  return {
    async describe(key) {
      try {
        const found = await limited((http) => client.send(new HeadObjectCommand(place(options, key)), http));
        return {
          sizeBytes: found.ContentLength ?? 0,
          etag: (found.ETag ?? "").replaceAll('"', ""),
          headers: headersOf(found),
          lastModified: found.LastModified,
        };
      } catch (error) {
        if (isGone(error)) return null;
        throw toReadError(error);
      }
    },

    async read(key, { etag, sizeBytes }, range) {
      try {
        return await limited(async (http, touch) => {
          const { Body } = await client.send(
            new GetObjectCommand({
              ...place(options, key),
              IfMatch: `"${etag}"`,
              Range: range ? `bytes=${range.at}-${range.at + range.length - 1}` : undefined,
            }),
            http,
          );
          return collect(Body as AsyncIterable<Uint8Array>, range?.length ?? sizeBytes, touch);
        });
      } catch (error) {
        throw toReadError(error);
      }
    },

    close: () => client.destroy(),
  };
}

const isGone = (error: unknown) => error instanceof NoSuchKey || error instanceof NotFound;

/** What an error of the AWS SDK means for one object that is read. */
function toReadError(error: unknown): Error {
  if (isKnown(error)) return error;
  if (isGone(error)) return new ObjectChangedError("it is gone");
  if (error instanceof S3ServiceException) {
    const { httpStatusCode: status = 0 } = error.$metadata;
    if (status === 412) return new ObjectChangedError("it has another ETag");
    if (status >= 400 && status < 500 && status !== 408 && status !== 429)
      return new ObjectRefusedError(error.name);
  }
  return new StowageError("unavailable", { detail: describeFailure("The source", error), cause: error });
}
