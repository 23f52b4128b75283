import { formatBytes } from "@stowage/schemas/rules";
import { formatDuration, formatPercent } from "../core/format.js";
import { MAX_ATTEMPTS } from "../core/network/retry-policy.js";
import { isActive, type UploadFailure, type UploadItem, type UploadRetry } from "../core/upload-item.js";
import type { UseUploadResult } from "../use-upload.js";
import type { UploadParts, UploadStanding } from "./upload-context.js";

/** Where one file stands, in words. */
export function standingOfFile(item: UploadItem, name: string, parts: UploadParts): UploadStanding {
  const { locale } = parts.labels;
  const status = statusOf(item, parts);
  const isBusy = isActive(item);
  const share = isSending(item) || item.progress > 0 ? item.progress : undefined;
  return {
    ...parts,
    item,
    name,
    can: {
      cancel: isBusy && (() => parts.cancel(item.id)),
      retry: (item.status === "cancelled" || canRetry(item)) && (() => parts.retry(item.id)),
      remove: !isBusy && item.status !== "deleting" && (() => parts.remove(item.id)),
    },
    share,
    progress: isSending(item) ? `${formatPercent(item.progress, locale)}, ${status}` : isBusy ? status : "",
    status: status + paceOf(item, parts),
  };
}

/** Where all of them stand. */
export function standingOfAll(
  { items, totals, start, cancelAll, retryAll, clear }: UseUploadResult,
  autoStart: boolean | undefined,
  parts: UploadParts,
): UploadStanding {
  const { labels, isOffline } = parts;
  const isBusy = totals.active > 0;
  const percent = formatPercent(totals.progress, labels.locale);
  const isQueued = (item: UploadItem) => item.status === "queued";
  const canStart = autoStart === false && items.some(isQueued);
  const status = isOffline
    ? labels.offline
    : canStart && items.every((item) => isQueued(item) || !isActive(item))
      ? labels.queued
      : labels.summary({ ...totals, percent }, labels.locale);
  return {
    ...parts,
    name: labels.total,
    can: {
      start: canStart && start,
      cancelAll: isBusy && cancelAll,
      retryAll: totals.failed > 1 && items.some(canRetry) && retryAll,
      clear: totals.files > totals.active && clear,
    },
    share: totals.progress,
    progress: isBusy ? percent : "",
    status: status + paceOf(totals, parts),
  };
}

/** Whether bytes leave, or have just left. */
export const isSending = ({ status }: UploadItem) => status === "uploading" || status === "confirming";

const canRetry = (item: UploadItem) => item.status === "failed" && item.error.canRetry;

function statusOf(item: UploadItem, { labels, isOffline }: UploadParts): string {
  const { locale } = labels;
  const { retry, error }: Happened & Pick<UploadItem, "id"> = item;
  if (retry) return labels.retrying(retry.attempt, MAX_ATTEMPTS, locale);
  if (error) return error.message;
  if (item.status === "uploading")
    return labels.sent(formatBytes(item.sentBytes, locale), formatBytes(item.size, locale));
  return {
    ...labels,
    requesting: isOffline ? labels.queued : labels.preparing,
    failed: "",
    cancelled: labels.stopped,
  }[item.status];
}

/** What may have come between, whatever the status is. */
export interface Happened {
  retry?: UploadRetry | null;
  error?: UploadFailure | null;
}

interface Pace {
  bytesPerSecond: number | null;
  remainingMs: number | null;
}

function paceOf(
  { bytesPerSecond, remainingMs }: Pace,
  { labels: { locale, timeLeft }, isOffline }: UploadParts,
): string {
  // Nothing is left to be sent while storage or the backend answers.
  return !isOffline && bytesPerSecond && remainingMs
    ? ` · ${formatBytes(bytesPerSecond, locale, "-per-second")} · ${timeLeft(formatDuration(remainingMs, locale))}`
    : "";
}
