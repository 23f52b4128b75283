import { DeleteObjectCommand, NoSuchKey, NotFound, S3ServiceException } from "@aws-sdk/client-s3";
import { copyByParts, partsOf } from "./copy-by-parts.js";
import { type CopyEnds, type CopyKeys, type CopyWay, limited, place } from "./copy-ends.js";
import { createCopyInside } from "./copy-inside.js";
import { createCopyStreamed } from "./copy-streamed.js";
import type { StoredObject } from "./object-store.js";
import { connect, type S3Options } from "./s3.js";

/** Copies objects of a bucket to a bucket that may be at another storage. */
export interface Transfer {
  /**
   * Copies an object to the same path, with its headers and its user metadata. The copy has the same ETag, because the service knows the bytes of a file by
   * it. It is encrypted as the settings of its storage say.
   *
   * @param object as it was listed
   * @param partSizeBytes of an object that was uploaded by parts, if it is known
   */
  copy(path: string, object: StoredObject, partSizeBytes: number | null): Promise<TransferOutcome>;
  /**
   * Lets storage copy an object, with its headers and its user metadata, to any path of the target.
   *
   * @returns `refused` if the two buckets are not of one server, storage does not copy it, or the copy has another ETag: then the caller
   * sends the bytes
   */
  copyInside(keys: CopyKeys, object: StoredObject): Promise<"copied" | "changed" | "refused">;
  close(): void;
}

/**
 * - `copied`
 * - `missing`: there is no object. Nothing was written
 * - `changed`: it has another ETag by now. Nothing was written
 * - `other_etag`: the storage gives its bytes another ETag. There may have been a copy with it, which was removed
 * - `refused`: a copy inside of storage had another ETag, and was removed. The next call sends the bytes
 */
export type TransferOutcome = "copied" | "missing" | "changed" | "other_etag" | "refused";

/** The limit of a copy inside of storage: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
const MAX_COPY_BYTES = 5 * 1024 ** 3;

/**
 * Where one server has both buckets, it is asked to copy, and no byte passes this process. It refuses that if the keys of the target may not
 * read the source. Then the bytes are sent.
 *
 * @param onRefused is called once with the reason, before the first object whose bytes are sent for it
 */
export function createTransfer(
  source: S3Options,
  target: S3Options,
  onRefused: (reason: string) => void = () => undefined,
): Transfer {
  const ends: CopyEnds = { source, target, reader: connect(source), writer: connect(target) };
  const streamed = createCopyStreamed(ends);
  const inside = createCopyInside(ends);
  let isInside = isSameServer(source, target);

  const refuseInside = (reason: string) => {
    if (isInside) onRefused(reason);
    isInside = false;
  };

  function copyBy(way: CopyWay, keys: CopyKeys, object: StoredObject, partSizeBytes: number | null) {
    const parts = partsOf(object);
    if (parts === 0) return way.copyWhole(keys, object);
    return copyByParts(ends, way.copyPart, { ...keys, object, parts, partSizeBytes });
  }

  const canBeInside = (object: StoredObject) =>
    isInside && (partsOf(object) > 0 || object.sizeBytes <= MAX_COPY_BYTES);

  /** @returns undefined if storage does not copy it inside */
  async function tryInside(path: string, object: StoredObject, partSizeBytes: number | null) {
    if (!canBeInside(object)) return undefined;
    try {
      const etag = await copyBy(inside, { from: path, to: path }, object, partSizeBytes);
      if (etag === object.etag) return "copied";
      refuseInside("the copy has another ETag");
      await removeCopy(path);
      return "refused";
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Sending the bytes finds out whether the object is missing: a key of another account may see another bucket of this name.
      if (!isMissing(error)) refuseInside(error.name);
      return undefined;
    }
  }

  const removeCopy = (path: string) =>
    limited((http) => ends.writer.send(new DeleteObjectCommand(place(target, path)), http));

  return {
    async copy(path, object, partSizeBytes) {
      try {
        const outcome = await tryInside(path, object, partSizeBytes);
        if (outcome) return outcome;
        const etag = await copyBy(streamed, { from: path, to: path }, object, partSizeBytes);
        if (etag === object.etag) return "copied";
        await removeCopy(path);
        return "other_etag";
      } catch (error) {
        if (isMissing(error)) return "missing";
        if (!(error instanceof S3ServiceException)) throw error;
        if (error.$metadata.httpStatusCode === 412) return "changed";
        if (HAS_OTHER_ETAG.has(error.name)) return "other_etag";
        throw error;
      }
    },
    async copyInside(keys, object) {
      if (!canBeInside(object)) return "refused";
      try {
        const etag = await copyBy(inside, keys, object, null);
        if (etag === object.etag) return "copied";
        // Only the sizes of parts are guessed: the next object may have others.
        if (partsOf(object) === 0) refuseInside("the copy has another ETag");
      } catch (error) {
        if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412) return "changed";
        if (!isRefusal(error)) throw error;
        if (!isMissing(error) && !OF_ONE_OBJECT.has(error.name)) refuseInside(error.name);
      }
      return "refused";
    },
    close: () => {
      ends.reader.destroy();
      ends.writer.destroy();
    },
  };
}

function isSameServer(source: S3Options, target: S3Options): boolean {
  return new URL(source.endpoint).href === new URL(target.endpoint).href && source.region === target.region;
}

/** The ETag of the object is no MD5, for example because its bucket encrypts with KMS, or is of parts that are not known. */
const HAS_OTHER_ETAG = new Set(["BadDigest", "InvalidDigest", "EntityTooSmall"]);

/** Refusals that say nothing about other objects: an archived object, or a wrong guess of the sizes of parts. */
const OF_ONE_OBJECT = new Set(["InvalidObjectState", "EntityTooSmall", "InvalidRange"]);

const isMissing = (error: unknown) => error instanceof NoSuchKey || error instanceof NotFound;

/** Whether storage does not do what it was asked for, and will not do it later. */
function isRefusal(error: unknown): error is S3ServiceException {
  if (!(error instanceof S3ServiceException)) return false;
  const { httpStatusCode: status = 0 } = error.$metadata;
  return status === 501 || (status >= 400 && status < 500 && ![408, 412, 429].includes(status));
}
