import { formatPercent } from "../core/format.js";
import type { Runtime } from "../core/runtime.js";
import type { UploadSnapshot } from "../core/upload-settings.js";
import type { Words } from "./labels.js";
import type { Happened } from "./standing.js";

/** Long enough for what happens at once to be said at once. */
const GATHER_MS = 300;
const PROGRESS_PAUSE_MS = 5_000;
/** More at once are only counted. */
const SPOKEN_FAILURES = 3;

/**
 * Says aloud what happens on the way from one snapshot to the next: additions as a number, each failure by name,
 * progress by quarters and not too often, the connection, and how it all ended.
 */
export function createAnnouncer(
  { uptimeMs, after }: Pick<Runtime, "uptimeMs" | "after">,
  last: UploadSnapshot,
  speak: (text: string) => void,
) {
  let spokenQuarter = 0;
  let lastProgressMs = Number.NEGATIVE_INFINITY;
  let addedCount = 0;
  /** What is to be said next; the first is for additions. */
  let pending: string[] = [];

  function say(sentence: string, place = pending.length || 1) {
    if (pending.length === 0) {
      after(GATHER_MS, () => {
        speak(pending.join(" ").trim());
        addedCount = 0;
        pending = [];
      });
    }
    pending[place] = sentence;
  }

  return {
    say,
    /** Takes note of a snapshot. */
    note(next: UploadSnapshot, labels: Words) {
      const { locale } = labels;
      const { active, done, failed, progress } = next.totals;
      const before = new Map(last.items.map((item) => [item.id, item]));
      const cancelled: string[] = [];
      const quarter = Math.floor(progress * 4);
      const now = uptimeMs();
      let takenIn = 0;
      let failures = 0;
      for (const item of next.items) {
        const { id, name, status } = item;
        const old = before.get(id);
        before.delete(id);
        if (!old && status !== "failed") takenIn++;
        if (old?.status === status) continue;
        const { error }: Happened & { id: string } = item;
        if (error && ++failures <= SPOKEN_FAILURES)
          say(labels[old?.status === "deleting" ? "notDeleted" : "failed"](name, error.message));
        if (status === "cancelled") cancelled.push(labels.cancelled(name));
      }
      if (takenIn > 0) say(labels.added((addedCount += takenIn), locale), 0);
      for (const { name, status } of before.values()) if (status === "deleting") say(labels.deleted(name));
      if (cancelled.length === 1) say(cancelled.join());
      if (next.isOffline !== last.isOffline) say(next.isOffline ? labels.offline : labels.online);

      const hasEnded = active === 0 && (last.totals.active > 0 || failed > last.totals.failed);
      const isAllSaid = done === 0 && failures === failed && failures <= SPOKEN_FAILURES;
      if (hasEnded && done + failed > 0 && !isAllSaid) say(labels.finished(done, failed, locale));
      const isDue = active > 0 && now - lastProgressMs >= PROGRESS_PAUSE_MS && quarter > spokenQuarter;
      if (takenIn > 0 || isDue) {
        spokenQuarter = quarter;
        lastProgressMs = now;
        if (takenIn === 0) say(labels.progress(formatPercent(progress, locale)));
      }
      last = next;
    },
  };
}
