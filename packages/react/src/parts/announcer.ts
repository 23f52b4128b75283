import type { UploadSnapshot } from "../core/upload-store.js";
import type { UploadLabels } from "./labels.js";

const PROGRESS_PAUSE_MS = 5_000;
/** More at once are only counted. */
const SPOKEN_FAILURES = 3;

/**
 * What to say aloud about the step from one snapshot to the next: additions as a number, each failure by name,
 * progress by quarters and not too often, and how it all ended.
 */
export function createAnnouncer(start: UploadSnapshot) {
  let last = start;
  let spokenQuarter = 0;
  let lastProgressAt = Number.NEGATIVE_INFINITY;

  return function sentencesFor(
    next: UploadSnapshot,
    nowMs: number,
    { labels, locale }: { labels: UploadLabels; locale: string },
  ): string[] {
    const previous = last;
    last = next;
    if (next === previous) return [];
    const before = new Map(previous.items.map((item) => [item.id, item]));
    const sentences: string[] = [];

    const added = next.items.filter((item) => !before.has(item.id));
    const takenIn = added.filter((item) => item.status !== "failed");
    if (takenIn.length > 0) {
      sentences.push(labels.added(takenIn.length));
      spokenQuarter = Math.floor(next.totals.progress * 4);
      lastProgressAt = nowMs;
    }
    const changed = next.items.filter((item) => before.get(item.id)?.status !== item.status);
    const failed = changed.filter((item) => item.status === "failed");
    for (const { name, error } of failed.slice(0, SPOKEN_FAILURES))
      sentences.push(labels.failed(name, error.message));
    const cancelled = changed.filter((item) => item.status === "cancelled");
    if (cancelled.length === 1) sentences.push(labels.cancelled(cancelled[0]?.name ?? ""));

    const { active, done, failed: failedInAll, progress } = next.totals;
    const hasEnded = active === 0 && changed.length > 0;
    const isAllSaid = done === 0 && failed.length === failedInAll && failedInAll <= SPOKEN_FAILURES;
    if (hasEnded && done + failedInAll > 0 && !isAllSaid) {
      sentences.push(labels.finished(done, failedInAll));
    } else if (
      active > 0 &&
      nowMs - lastProgressAt >= PROGRESS_PAUSE_MS &&
      Math.floor(progress * 4) > spokenQuarter
    ) {
      spokenQuarter = Math.floor(progress * 4);
      lastProgressAt = nowMs;
      sentences.push(labels.progress(next.totals, locale));
    }
    return sentences;
  };
}
