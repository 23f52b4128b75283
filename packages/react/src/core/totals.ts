import { remainingMs } from "./speed-meter.js";
import { kindOf, type UploadItem } from "./upload-item.js";

/** All files together, weighted by bytes. */
export interface UploadTotals extends UploadCounts {
  /** 0 to 1; at most 0.99 until the last file is confirmed. Falls only when files are added. */
  progress: number;
  /** Of all files together, while bytes leave. */
  bytesPerSecond: number | null;
  remainingMs: number | null;
}

/** What can be kept up to date file by file, however many there are. */
export interface UploadCounts {
  files: number;
  /** Waiting or on their way. */
  active: number;
  /** One that is being deleted is still among these. */
  done: number;
  failed: number;
  cancelled: number;
  /** Bytes of the files that are done or still to come. */
  totalBytes: number;
  sentBytes: number;
}

export function noCounts(): UploadCounts {
  return { files: 0, active: 0, done: 0, failed: 0, cancelled: 0, totalBytes: 0, sentBytes: 0 };
}

/** Counts a file in (1), or out again as what it was (-1). */
export function countItem(counts: UploadCounts, item: UploadItem, sign: 1 | -1): void {
  const { size, sentBytes } = item;
  const kind = kindOf(item);
  counts.files += sign;
  counts[kind] += sign;
  if (kind === "failed" || kind === "cancelled") return;
  counts.totalBytes += sign * size;
  counts.sentBytes += sign * (kind === "done" ? size : sentBytes);
}

/** @param floor the progress last shown, kept while the same files are on their way */
export function totalsOf(counts: UploadCounts, floor: number, bytesPerSecond: number | null): UploadTotals {
  const { active, done, totalBytes, sentBytes } = counts;
  const share = totalBytes > 0 ? sentBytes / totalBytes : done / (done + active);
  const progress = active > 0 ? Math.min(0.99, Math.max(floor, share)) : done > 0 ? 1 : 0;
  return {
    ...counts,
    progress,
    bytesPerSecond,
    remainingMs: remainingMs(totalBytes - sentBytes, bytesPerSecond),
  };
}
