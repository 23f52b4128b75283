import { countedAs, remainingMs, type UploadItem } from "../upload-item.js";

/** All files together, weighted by bytes. */
export interface UploadTotals extends UploadCounts {
  /** 0 to 1; at most 0.99 until the last file is confirmed. It falls only when files are added. */
  progress: number;
  /** Speed of all files together, while bytes are sent. */
  bytesPerSecond: number | null;
  remainingMs: number | null;
}

/** Counts that one changed file can update, however long the list is. */
export interface UploadCounts {
  files: number;
  /** Queued, on their way or paused. */
  active: number;
  /** Active files that a person paused. */
  paused: number;
  /** Stored files, including those that are being deleted. */
  done: number;
  failed: number;
  cancelled: number;
  /** Bytes of the active and the done files. */
  totalBytes: number;
  sentBytes: number;
}

export function noCounts(): UploadCounts {
  return { files: 0, active: 0, paused: 0, done: 0, failed: 0, cancelled: 0, totalBytes: 0, sentBytes: 0 };
}

/** Adds an item to the counts (1), or removes it (-1). To remove it, pass the same item that was added. */
export function countItem(counts: UploadCounts, item: UploadItem, sign: 1 | -1): void {
  const { size, sentBytes } = item;
  const kind = countedAs(item);
  counts.files += sign;
  counts[kind] += sign;
  if (item.status === "paused") counts.paused += sign;
  if (kind === "failed" || kind === "cancelled") return;
  counts.totalBytes += sign * size;
  counts.sentBytes += sign * (kind === "done" ? size : sentBytes);
}

/**
 * @param minProgress the progress that was shown last: it must not fall while the same files are active
 * @param sending the files whose bytes are sent now. A single one has the same speed and time left as the list
 */
export function totalsOf(
  counts: UploadCounts,
  minProgress: number,
  bytesPerSecond: number | null,
  sending: readonly UploadItem[] = [],
): UploadTotals {
  const [only] = sending;
  const pace =
    only && counts.active === 1
      ? { bytesPerSecond: only.bytesPerSecond, remainingMs: only.remainingMs }
      : { bytesPerSecond, remainingMs: totalRemainingMs(counts, bytesPerSecond, sending) };
  return { ...counts, progress: progressOf(counts, minProgress), ...pace };
}

/** The list is not done before its slowest file is. */
function totalRemainingMs(
  { totalBytes, sentBytes }: UploadCounts,
  bytesPerSecond: number | null,
  sending: readonly UploadItem[],
): number | null {
  const ofAllMs = remainingMs(totalBytes - sentBytes, bytesPerSecond);
  return ofAllMs && Math.max(ofAllMs, ...sending.map((item) => item.remainingMs ?? 0));
}

/** The totals of several lists together. */
export function addTotals(lists: readonly UploadTotals[]): UploadTotals {
  const counts = noCounts();
  let bytesPerSecond: number | null = null;
  for (const totals of lists) {
    for (const name of Object.keys(counts) as (keyof UploadCounts)[]) counts[name] += totals[name];
    if (totals.bytesPerSecond !== null) bytesPerSecond = (bytesPerSecond ?? 0) + totals.bytesPerSecond;
  }
  return totalsOf(counts, 0, bytesPerSecond);
}

function progressOf({ active, done, totalBytes, sentBytes }: UploadCounts, minProgress: number): number {
  if (active === 0) return done > 0 ? 1 : 0;
  const share = totalBytes > 0 ? sentBytes / totalBytes : done / (done + active);
  return Math.min(0.99, Math.max(minProgress, share));
}
