import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Checksum } from "../body/checksums.js";
import type { IndexEntry } from "./key-index.js";
import { objectFile, objectsDir } from "./layout.js";
import { readRecordSync } from "./sealed-file.js";

/** What is sealed with an object's data. */
export interface ObjectRecord {
  readonly key: string;
  /** Without quotes: the MD5 in hex, or for a multipart upload the MD5 of the parts' MD5s and `-<parts>`. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
  /** Sent back as they came, by lower-case name: content-type and its kin, and x-amz-meta-*. */
  readonly headers: Readonly<Record<string, string>>;
  readonly checksum?: Checksum | undefined;
}

/** Reads every object's record. A file that is not ours, or not in its key's place, is told of and left alone. */
export function readIndexEntries(bucketDir: string, onForeign: (error: unknown) => void): IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (const prefix of readdirSync(objectsDir(bucketDir))) {
    const dir = join(objectsDir(bucketDir), prefix);
    for (const name of readdirSync(dir)) {
      const path = join(dir, name);
      try {
        const { record, sizeBytes } = readRecordSync<ObjectRecord>(path);
        if (objectFile(bucketDir, record.key) !== path)
          throw new Error(`${path} holds another key than its name says.`);
        entries.push({ key: record.key, etag: record.etag, lastModified: record.lastModified, sizeBytes });
      } catch (error) {
        onForeign(error);
      }
    }
  }
  return entries;
}
