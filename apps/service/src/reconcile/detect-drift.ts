import type { FileStatus, Visibility } from "@stowage/schemas";
import { isCounted } from "#files/record/file-conditions.js";
import { MINUTE_MS } from "#lib/time.js";
import type { FileDrift } from "./drift.js";

/** What the database knows about a path. */
export interface RowAtPath {
  status: FileStatus;
  size: number | null;
  etag: string | null;
  /** The bucket that has the object. @default private */
  place?: Visibility;
  /** Whether the other bucket may have an object too, which a process removes. @default false */
  hasOtherCopy?: boolean;
  /** @default false */
  isVariant?: boolean;
  /** Whether the public bucket has a copy of a variant. @default false */
  isPublished?: boolean;
}

/** What storage knows about a path. */
export interface ObjectAtPath {
  sizeBytes: number;
  etag: string;
  /** Null if the object was found by a HEAD and not in the listing. */
  lastModified: Date | null;
}

/** The sweeper finds a new object within ten seconds, so only an older object can have been missed. */
const MAX_SETTLE_DELAY_MS = MINUTE_MS;

/**
 * Compares the row and the object of one path in one bucket. A file that is being deleted is never reported, because its object will be
 * removed.
 *
 * @param at.place the bucket
 * @returns how they differ, or null
 */
export function detectDrift(
  at: { projectRef: string; path: string; place: Visibility; isProjectKnown: boolean },
  pair: { row: RowAtPath | null; object: ObjectAtPath | null },
  now: Date,
): FileDrift | null {
  const { projectRef, path } = at;
  const { row, object } = pair;
  if (!row) {
    if (!object) return null;
    const lastModified = object.lastModified ?? now;
    return {
      kind: "orphan",
      place: at.place,
      projectRef,
      path,
      foundBytes: object.sizeBytes,
      lastModified,
      isProjectKnown: at.isProjectKnown,
    };
  }
  if ((row.place ?? "private") !== at.place) {
    if (!object && row.isPublished && row.status !== "deleting")
      return { kind: "missing_variant", projectRef, path, recordedBytes: row.size ?? 0 };
    if (!object || row.hasOtherCopy || row.status === "deleting") return null;
    return { kind: "misplaced", projectRef, path, found: at.place };
  }
  if (isCounted(row.status)) {
    const recordedBytes = row.size ?? 0;
    // Other bytes than the recorded ones are no variant either: a new one is made on demand.
    if (row.isVariant)
      return object?.sizeBytes === recordedBytes
        ? null
        : { kind: "missing_variant", projectRef, path, recordedBytes };
    if (!object) return { kind: "missing", projectRef, path, recordedBytes };
    if (object.sizeBytes !== recordedBytes)
      return { kind: "size", projectRef, path, recordedBytes, foundBytes: object.sizeBytes };
    // Not all storage sends an ETag.
    const isReplaced = Boolean(row.etag && object.etag) && object.etag !== row.etag;
    return isReplaced ? { kind: "bytes", projectRef, path, recordedBytes } : null;
  }
  if (row.status === "deleting" || !object) return null;
  const isNew =
    object.lastModified === null || now.getTime() - object.lastModified.getTime() < MAX_SETTLE_DELAY_MS;
  return isNew
    ? null
    : { kind: "unsettled", projectRef, path, status: row.status, foundBytes: object.sizeBytes };
}
