import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Checksum } from "../body/checksums.js";
import type { IndexEntry } from "./key-index.js";
import { objectFile, objectsDir } from "./layout.js";
import { readRecordSync } from "./sealed-file.js";

/** How an object is encrypted, as it says. */
export interface Encryption {
  readonly algorithm: "AES256" | "aws:kms";
  readonly keyId?: string | undefined;
}

/** The record that is stored with an object's data. */
export interface ObjectRecord {
  readonly key: string;
  /** Without quotes: the MD5 in hex; for a multipart upload the MD5 of the parts' MD5s and `-<number of parts>`. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
  /** Headers to send back, by lower-case name: content-type, cache-control and others, and x-amz-meta-*. */
  readonly headers: Readonly<Record<string, string>>;
  readonly checksum?: Checksum | undefined;
  readonly encryption?: Encryption | undefined;
  /** The multipart upload that made the object, so that its repeated completion gets the same answer. */
  readonly upload?: { readonly id: string; readonly partsDigest: string } | undefined;
  /** The parts of `upload` that are the data, in their order. Undefined if the data is in the object's own file. */
  readonly parts?: readonly PartSize[] | undefined;
}

export type PartSize = readonly [partNumber: number, sizeBytes: number];

/** @param fileBytes the data in the object's own file */
export function entryOf(record: ObjectRecord, fileBytes: number): IndexEntry {
  const { key, etag, lastModified, upload, parts } = record;
  const entry = { key, etag, lastModified };
  return parts
    ? { ...entry, sizeBytes: totalBytes(parts), partsOf: upload!.id }
    : { ...entry, sizeBytes: fileBytes };
}

export function totalBytes(parts: readonly PartSize[]): number {
  return parts.reduce((sum, [, sizeBytes]) => sum + sizeBytes, 0);
}

/** Reads the record of every object. It reports and skips files that this store did not write or that have a wrong name. */
export function readIndexEntries(bucketDir: string, onUnknownFile: (error: unknown) => void): IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (const prefix of readdirSync(objectsDir(bucketDir))) {
    const dir = join(objectsDir(bucketDir), prefix);
    for (const name of readdirSync(dir)) {
      const path = join(dir, name);
      try {
        const { record, sizeBytes } = readRecordSync<ObjectRecord>(path);
        if (objectFile(bucketDir, record.key) !== path)
          throw new Error(`${path} contains another key than its name says.`);
        entries.push(entryOf(record, sizeBytes));
      } catch (error) {
        onUnknownFile(error);
      }
    }
  }
  return entries;
}
