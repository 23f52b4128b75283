import type { FileStatus } from "@stowage/schemas";
import type { FileDrift } from "./drift.js";

/** What the database says of a path. */
export interface RowAtPath {
  status: FileStatus;
  size: number | null;
}

/** What storage says of a path. */
export interface ObjectAtPath {
  sizeBytes: number;
  /** Null when only a HEAD has seen it. */
  lastModified: Date | null;
}

/** An upload that was just made is looked at by the sweeper within ten seconds: only what is older was missed. */
const UNSETTLED_AFTER_MS = 60_000;

/**
 * Whether row and object of one path contradict each other, and how. A file on its way out (`deleting`) never does: its
 * object goes sooner or later.
 */
export function detectDrift(
  at: { projectRef: string; path: string; isProjectKnown: boolean },
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
      projectRef,
      path,
      foundBytes: object.sizeBytes,
      lastModified,
      isProjectKnown: at.isProjectKnown,
    };
  }
  if (row.status === "stored") {
    const recordedBytes = row.size ?? 0;
    if (!object) return { kind: "missing", projectRef, path, recordedBytes };
    if (object.sizeBytes !== recordedBytes)
      return { kind: "size", projectRef, path, recordedBytes, foundBytes: object.sizeBytes };
    return null;
  }
  if (row.status === "deleting" || !object) return null;
  const isYoung =
    object.lastModified === null || now.getTime() - object.lastModified.getTime() < UNSETTLED_AFTER_MS;
  return isYoung
    ? null
    : { kind: "unsettled", projectRef, path, status: row.status, foundBytes: object.sizeBytes };
}
