import { isActive, type UploadItem } from "./upload-item.js";

/** All files together, weighted by bytes. */
export interface UploadTotals {
  files: number;
  /** Waiting or on their way. */
  active: number;
  done: number;
  failed: number;
  cancelled: number;
  /** Bytes of the files that are done or still to come. */
  totalBytes: number;
  sentBytes: number;
  /** 0 to 1; at most 0.99 until the last file is confirmed. Falls only when files are added. */
  progress: number;
}

/**
 * @param peakBytes the most that was ever sent of a file: a second try does not take back what was shown
 * @param floor the progress last shown, kept while the same files are on their way
 */
export function totalsOf(
  items: readonly UploadItem[],
  peakBytes: (item: UploadItem) => number,
  floor: number,
): UploadTotals {
  const totals: UploadTotals = {
    files: items.length,
    active: 0,
    done: 0,
    failed: 0,
    cancelled: 0,
    totalBytes: 0,
    sentBytes: 0,
    progress: 0,
  };
  for (const item of items) {
    if (isActive(item)) totals.active++;
    else totals[item.status as "done" | "failed" | "cancelled"]++;
    if (item.status === "failed" || item.status === "cancelled") continue;
    totals.totalBytes += item.size;
    totals.sentBytes += item.status === "done" ? item.size : peakBytes(item);
  }
  totals.progress = progressOf(totals, floor);
  return totals;
}

function progressOf(totals: UploadTotals, floor: number): number {
  if (totals.active === 0) return totals.done > 0 ? 1 : 0;
  const share =
    totals.totalBytes > 0
      ? totals.sentBytes / totals.totalBytes
      : totals.done / (totals.done + totals.active);
  return Math.min(0.99, Math.max(floor, share));
}
