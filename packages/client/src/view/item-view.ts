import { formatBytes } from "@stowage/schemas/page-rules";
import { formatDuration, formatPercent } from "../format.js";
import type { ActiveLabels } from "../labels/labels.js";
import { MAX_ATTEMPTS } from "../network/retry-policy.js";
import {
  canPause,
  canRetry,
  failureOf,
  isActive,
  isEnded,
  pendingRetryOf,
  type UploadItem,
} from "../upload-item.js";
import type { UploadCommands, UploadSnapshot } from "../upload-settings.js";

/** The state of a list, and the commands that change it. */
export type UploadList = UploadSnapshot & UploadCommands;

/**
 * Labels and commands that all parts share. This object changes rarely, so a row is not rendered again when another
 * file makes progress.
 */
export interface SharedView extends Pick<
  UploadList,
  "connection" | "cancel" | "pause" | "resume" | "retry" | "remove" | "discardUnfinished"
> {
  labels: ActiveLabels;
}

/** What a button does to one file, or to the whole list. */
export type ActionName =
  | "cancel"
  | "pause"
  | "resume"
  | "retry"
  | "remove"
  | "start"
  | "pauseAll"
  | "resumeAll"
  | "cancelAll"
  | "retryAll"
  | "clear";

/** What a progress bar, a status and a button show: inside a row one file, elsewhere the whole list. */
export interface ItemView extends SharedView {
  /** Undefined for the whole list. */
  item?: UploadItem;
  /** Accessible name. The name of a file is unique in the list. */
  name: string;
  /** The actions that are possible now. */
  actions: Partial<Record<ActionName, (() => void) | undefined>>;
  /** 0 to 1; undefined while there are no bytes to count. */
  share?: number | undefined;
  /**
   * `aria-valuetext` of the progress bar; empty when nothing is in progress. It leaves out speed and time left,
   * because screen readers would read every change of them.
   */
  progressText: string;
  /** The state in one sentence or less. */
  statusText: string;
}

/** The rows that the styled list shows at once. */
const VISIBLE_ROWS = 5;

/** The view of one file. */
export function fileView(item: UploadItem, name: string, shared: SharedView): ItemView {
  const { id, progress } = item;
  const hasProgress = isSending(item) || progress > 0;
  const status = fileStatus(item, shared);
  return {
    ...shared,
    item,
    name,
    actions: {
      cancel: isActive(item) ? () => shared.cancel(id) : undefined,
      // The button of the list also pauses the files of the queue.
      pause: canPause(item) && !isQueued(item) ? () => shared.pause(id) : undefined,
      resume: isPaused(item) ? () => shared.resume(id) : undefined,
      retry: canRetry(item) ? () => shared.retry(id) : undefined,
      remove: isEnded(item) ? () => shared.remove(id) : undefined,
    },
    share: hasProgress ? progress : undefined,
    progressText: fileProgressText(item, status, shared),
    statusText: status + speedText(item, shared),
  };
}

/** The view of the whole list. */
export function listView(
  upload: Pick<
    UploadList,
    "items" | "totals" | "start" | "pauseAll" | "resumeAll" | "cancelAll" | "retryAll" | "clear"
  >,
  autoStart: boolean | undefined,
  shared: SharedView,
): ItemView {
  const { items, totals, start, pauseAll, resumeAll, cancelAll, retryAll, clear } = upload;
  const { labels } = shared;
  const isBusy = totals.active > 0;
  const percent = formatPercent(totals.progress, labels.locale);
  const canStart = autoStart === false && items.some(isQueued);
  const isWaiting = canStart && items.filter(isActive).every(isQueued);
  const moving = totals.active - totals.paused;
  const isPausedWhole = isBusy && moving === 0;
  // The button of a failed file's own row may be out of view.
  const mayHideFailure = totals.failed > 1 || (totals.failed === 1 && items.length > VISIBLE_ROWS);

  function summaryText(): string {
    if (isWaiting) {
      return labels.queued;
    }
    return isPausedWhole
      ? `${labels.paused} · ${percent}`
      : labels.summary({ ...totals, active: moving, percent }, labels.locale);
  }

  return {
    ...shared,
    name: labels.total,
    actions: {
      start: canStart ? start : undefined,
      pauseAll: items.some((item) => canPause(item) && !(canStart && isQueued(item))) ? pauseAll : undefined,
      resumeAll: isPausedWhole ? resumeAll : undefined,
      cancelAll: isBusy ? cancelAll : undefined,
      retryAll: mayHideFailure && items.some(isRetryable) ? retryAll : undefined,
      clear: totals.files > totals.active ? clear : undefined,
    },
    share: totals.progress,
    progressText: isBusy ? percent : "",
    statusText: (connectionText(shared) || summaryText()) + speedText(totals, shared),
  };
}

/** Why uploads wait for the connection; empty while they do not. */
export function connectionText({ connection, labels }: Pick<SharedView, "connection" | "labels">): string {
  return connection === "online" ? "" : labels[connection];
}

/** Tells whether bytes are being sent, or all are sent and the service has not confirmed the file yet. */
function isSending({ status }: UploadItem): boolean {
  return status === "uploading" || status === "confirming";
}

/** Tells whether a row shows how much of the file is sent. */
export function isShownInPercent(item: UploadItem): boolean {
  return isSending(item) || (isPaused(item) && item.sentBytes > 0);
}

const isPaused = ({ status }: UploadItem) => status === "paused";
const isQueued = ({ status }: UploadItem) => status === "queued";
const isRetryable = (item: UploadItem) => item.status === "failed" && canRetry(item);

function fileStatus(item: UploadItem, { labels, connection }: SharedView): string {
  const { locale } = labels;
  const retry = pendingRetryOf(item);
  if (retry) {
    return labels.retrying(retry.attempt, MAX_ATTEMPTS, locale);
  }
  const failure = failureOf(item);
  if (failure) {
    return failure.message;
  }
  switch (item.status) {
    case "requesting":
      return connection === "online" ? labels.preparing : labels.queued;
    case "uploading":
      return item.isStorageReceiving ? labels.receiving : sentText(item, labels);
    case "paused": {
      const detail = item.startsAgain ? labels.startsAgain : item.sentBytes > 0 && sentText(item, labels);
      return detail ? `${labels.paused} · ${detail}` : labels.paused;
    }
    case "done":
      return item.result.scan_status === "pending" ? `${labels.done} · ${labels.checking}` : labels.done;
    case "cancelled":
      return labels.stopped;
    case "failed":
      return "";
    default:
      return labels[item.status];
  }
}

const sentText = ({ sentBytes, size }: UploadItem, { sent, locale }: SharedView["labels"]) =>
  sent(formatBytes(sentBytes, locale), formatBytes(size, locale));

function fileProgressText(item: UploadItem, status: string, { labels }: SharedView): string {
  if (isSending(item)) {
    return `${formatPercent(item.progress, labels.locale)}, ${status}`;
  }
  return isActive(item) ? status : "";
}

/** Speed and time left. Empty while storage or the backend answers, because no bytes are left to send. */
function speedText(
  { bytesPerSecond, remainingMs }: { bytesPerSecond: number | null; remainingMs: number | null },
  { labels, connection }: SharedView,
): string {
  if (connection !== "online" || !bytesPerSecond || !remainingMs) {
    return "";
  }
  const speed = formatBytes(bytesPerSecond, labels.locale, "-per-second");
  return ` · ${speed} · ${labels.timeLeft(formatDuration(remainingMs, labels.locale))}`;
}
