import { formatPercent } from "../format.js";
import type { ActiveLabels } from "../labels/labels.js";
import type { Runtime } from "../runtime.js";
import { failureOf, type UploadItem } from "../upload-item.js";
import type { UploadSnapshot } from "../upload-settings.js";

/** Sentences of this period are announced together. */
const BATCH_MS = 300;
const PROGRESS_INTERVAL_MS = 5_000;
/** Further failures are only counted. */
const MAX_NAMED_FAILURES = 3;

/**
 * Turns the difference between two snapshots into sentences: added files as a number, each failure by name, progress
 * at each quarter, the connection, and a summary at the end.
 */
export function createAnnouncer(
  { uptimeMs, after }: Pick<Runtime, "uptimeMs" | "after">,
  initial: UploadSnapshot,
  speak: (text: string) => void,
) {
  let last = initial;
  let announcedQuarter = 0;
  let lastProgressMs = Number.NEGATIVE_INFINITY;
  /** Added files are announced first. Their number can still grow before that. */
  let pendingAdded = { count: 0, sentence: "" };
  let pending: string[] = [];
  let isScheduled = false;

  function announce(sentence: string) {
    pending.push(sentence);
    schedule();
  }

  function announceAdded(count: number, labels: ActiveLabels) {
    const total = pendingAdded.count + count;
    pendingAdded = { count: total, sentence: labels.added(total, labels.locale) };
    schedule();
  }

  function schedule() {
    if (isScheduled) {
      return;
    }
    isScheduled = true;
    after(BATCH_MS, () => {
      speak([pendingAdded.sentence, ...pending].filter(Boolean).join(" "));
      pendingAdded = { count: 0, sentence: "" };
      pending = [];
      isScheduled = false;
    });
  }

  function announceProgress(next: UploadSnapshot, hasAdded: boolean, labels: ActiveLabels) {
    const { active, paused, progress } = next.totals;
    const quarter = Math.floor(progress * 4);
    const isDue =
      active > paused && uptimeMs() - lastProgressMs >= PROGRESS_INTERVAL_MS && quarter > announcedQuarter;
    if (!hasAdded && !isDue) {
      return;
    }
    announcedQuarter = quarter;
    lastProgressMs = uptimeMs();
    // The added files were announced just now, so the first progress waits.
    if (!hasAdded) {
      announce(labels.progress(formatPercent(progress, labels.locale)));
    }
  }

  function announceConnection({ connection, totals }: UploadSnapshot, labels: ActiveLabels) {
    if (connection !== "online") {
      announce(labels[connection]);
      // Without active files, the connection is no longer checked, which does not mean that it is back.
    } else if (totals.active > totals.paused) {
      announce(last.connection === "offline" ? labels.online : labels.reachable);
    }
  }

  /** Announces what changed since the last call. */
  function update(next: UploadSnapshot, labels: ActiveLabels) {
    const { added, failed, cancelled, paused, resumed, deleted } = changesBetween(last, next);
    for (const { item, wasDeleting, message } of failed.slice(0, MAX_NAMED_FAILURES)) {
      announce(wasDeleting ? labels.notDeleted(item.name, message) : labels.failed(item.name, message));
    }
    if (added.length > 0) {
      announceAdded(added.length, labels);
    }
    if (next.leftOut !== last.leftOut && next.leftOut.length > 0) {
      announce(labels.leftOut(next.leftOut.length, labels.locale));
    }
    for (const { name } of deleted) {
      announce(labels.deleted(name));
    }
    if (cancelled.length === 1) {
      announce(labels.cancelled(cancelled[0]!.name));
    }
    if (paused.length > 0) {
      announce(paused.length === 1 ? labels.pausedFile(paused[0]!.name) : labels.pausedFiles);
    }
    if (resumed.length > 0) {
      announce(resumed.length === 1 ? labels.resumedFile(resumed[0]!.name) : labels.resumedFiles);
    }
    if (next.connection !== last.connection) {
      announceConnection(next, labels);
    }
    if (needsSummary(last, next, failed.length)) {
      announce(labels.finished(next.totals.done, next.totals.failed, labels.locale));
    }
    announceProgress(next, added.length > 0, labels);
    last = next;
  }

  return { announce, update };
}

interface Failed {
  item: UploadItem;
  /** The deletion failed, not the upload. */
  wasDeleting: boolean;
  message: string;
}

function changesBetween(last: UploadSnapshot, next: UploadSnapshot) {
  const before = new Map(last.items.map((item) => [item.id, item]));
  const added: UploadItem[] = [];
  const cancelled: UploadItem[] = [];
  const paused: UploadItem[] = [];
  const resumed: UploadItem[] = [];
  const failed: Failed[] = [];
  for (const item of next.items) {
    const old = before.get(item.id);
    before.delete(item.id);
    if (!old && item.status !== "failed") {
      added.push(item);
    }
    if (old?.status === item.status) {
      continue;
    }
    const failure = failureOf(item);
    if (failure) {
      failed.push({ item, wasDeleting: old?.status === "deleting", message: failure.message });
    }
    if (item.status === "cancelled") {
      cancelled.push(item);
    } else if (item.status === "paused") {
      paused.push(item);
    } else if (old?.status === "paused") {
      resumed.push(item);
    }
  }
  const deleted = [...before.values()].filter(({ status }) => status === "deleting");
  return { added, cancelled, paused, resumed, failed, deleted };
}

/** Whether the last upload ended, and the announced failures do not already say everything. */
function needsSummary(last: UploadSnapshot, next: UploadSnapshot, newFailures: number): boolean {
  const { active, done, failed } = next.totals;
  const hasEnded = active === 0 && (last.totals.active > 0 || failed > last.totals.failed);
  const isAnnounced = done === 0 && newFailures === failed && newFailures <= MAX_NAMED_FAILURES;
  return hasEnded && done + failed > 0 && !isAnnounced;
}
