import { keepTrying } from "#lib/keep-trying.js";
import { toListError, toWriteError } from "#object-store/object-errors.js";
import type { ObjectReader } from "#object-store/object-reader.js";
import type { Bucket, ObjectPage } from "#object-store/object-store.js";
import type { Transfer } from "#object-store/transfer.js";
import type { ObjectSource } from "./source.js";

export interface S3SourceOptions {
  /** The endpoint and the bucket. */
  id: string;
  prefix: string;
  bucket: Pick<Bucket, "list" | "close">;
  reader: ObjectReader;
  /** To the bucket of the project. */
  transfer: Pick<Transfer, "copyInside" | "close">;
  sleep(ms: number): Promise<unknown>;
  /** Whether the bucket is one that this installation keeps files in: their objects are not imported again. */
  isOwn: boolean;
}

/** What this service writes to its buckets. */
const OWN_PREFIXES = ["projects/", "stowage-doctor/"];

/** Any bucket that speaks S3. */
export function createS3Source(options: S3SourceOptions): ObjectSource {
  const { id, prefix, bucket, reader, transfer, isOwn, sleep } = options;
  const isWanted = (key: string) => !isOwn || !OWN_PREFIXES.some((own) => key.startsWith(own));
  return {
    id,
    async *list() {
      let cursor: string | null = null;
      do {
        const after = cursor;
        const page: ObjectPage = await keepTrying(sleep, () =>
          bucket.list(prefix, after).catch(throwListError),
        );
        yield page.objects
          .filter(({ path }) => isWanted(path))
          .map(({ path, sizeBytes, etag }) => ({
            key: path,
            name: path.slice(path.lastIndexOf("/") + 1),
            text: path,
            sizeBytes,
            etag,
          }));
        cursor = page.nextCursor;
      } while (cursor !== null);
    },
    async describe({ key }) {
      const found = await reader.describe(key);
      if (!found) return null;
      const { headers, lastModified, ...object } = found;
      return { ...object, headers, metadata: headers.Metadata ?? {}, createdAt: lastModified };
    },
    read: ({ key }, found, range) => reader.read(key, found, range),
    async copyInside({ key }, found, to) {
      try {
        return await transfer.copyInside({ from: key, to }, found);
      } catch (error) {
        throw toWriteError(error);
      }
    },
    close: () => {
      bucket.close();
      reader.close();
      transfer.close();
    },
  };
}

function throwListError(error: unknown): never {
  throw toListError(error);
}
