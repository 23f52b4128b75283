import { acceptTokens } from "../core/accepts.js";
import { formatBytes, formatPercent } from "../core/format.js";
import { retryPolicy } from "../core/retry-policy.js";
import type { UploadTotals } from "../core/totals.js";
import type { UploadItem } from "../core/upload-item.js";
import type { UploadLimits } from "../core/validate-file.js";

/** Every word of the dropzone that is not an error. */
export interface UploadLabels {
  /** Above the button, while nothing is dragged. */
  title: string;
  /** In place of the title while files hang over the zone. */
  dropNow: string;
  /** The same, when they will not be accepted. */
  dropRefused: string;
  choose: string;
  /** What may be chosen, under the button. An empty string shows nothing. */
  hint(limits: UploadLimits, locale: string): string;
  list: string;
  cancel: string;
  retry: string;
  remove: string;
  clear: string;
  /** Of the whole list. */
  summary(totals: UploadTotals, locale: string): string;
  /** Where one file stands. */
  status(item: UploadItem, locale: string): string;
  /** Announced. */
  added(count: number): string;
  failed(name: string, message: string): string;
  cancelled(name: string): string;
  progress(totals: UploadTotals, locale: string): string;
  finished(done: number, failed: number): string;
}

const files = (count: number) => (count === 1 ? "1 file" : `${count} files`);

const tryingAgain = (attempt: number) =>
  `Interrupted. Trying again (${attempt} of ${retryPolicy.maxAttempts})…`;

export const englishLabels: UploadLabels = {
  title: "Drag files here",
  dropNow: "Drop to upload",
  dropRefused: "These files are not accepted",
  choose: "Choose files",
  hint(limits, locale) {
    const kinds = acceptTokens(limits.accept).map(kindName);
    const parts = [
      kinds.length > 0 ? kinds.join(", ") : "",
      limits.maxSize === undefined ? "" : `up to ${formatBytes(limits.maxSize, locale)}`,
      limits.maxFiles === undefined
        ? ""
        : limits.maxFiles === 1
          ? "one file"
          : `at most ${limits.maxFiles} files`,
    ].filter((part) => part !== "");
    const sentence = parts.join(", ");
    return sentence.charAt(0).toUpperCase() + sentence.slice(1);
  },
  list: "Files",
  cancel: "Cancel",
  retry: "Retry",
  remove: "Remove",
  clear: "Clear finished",
  summary: ({ active, done, failed, files: count, progress }, locale) =>
    active > 0
      ? `Uploading ${files(active)} · ${formatPercent(progress, locale)}`
      : `${done} of ${files(count)} uploaded${failed > 0 ? `, ${failed} failed` : ""}`,
  status(item, locale) {
    switch (item.status) {
      case "queued":
        return "Waiting";
      case "requesting":
        return item.retry ? tryingAgain(item.retry.attempt) : "Preparing";
      case "uploading":
        return `${formatBytes(item.sentBytes, locale)} of ${formatBytes(item.size, locale)}`;
      case "confirming":
        return item.retry ? tryingAgain(item.retry.attempt) : "Finishing";
      case "done":
        return "Uploaded";
      case "failed":
        return item.error.message;
      case "cancelled":
        return "Cancelled";
    }
  },
  added: (count) => `${files(count)} added.`,
  failed: (name, message) => `${name} failed. ${message}`,
  cancelled: (name) => `${name} cancelled.`,
  progress: ({ progress }, locale) => `${formatPercent(progress, locale)} uploaded.`,
  finished: (done, failed) =>
    `${done === 0 ? "No files" : files(done)} uploaded.${failed > 0 ? ` ${files(failed)} failed.` : ""}`,
};

function kindName(token: string): string {
  if (token.startsWith(".")) return token.slice(1).toUpperCase();
  if (token.endsWith("/*"))
    return { "image/*": "Images", "video/*": "videos", "audio/*": "audio" }[token] ?? token;
  return (token.split("/")[1] ?? token).toUpperCase();
}
