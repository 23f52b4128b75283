import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { IndexEntry } from "./key-index.js";
import { objectFile, objectsDir } from "./layout.js";
import type { ObjectRecord } from "./objects.js";
import { readRecordSync } from "./sealed-file.js";

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
