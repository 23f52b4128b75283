import { englishKinds, type KindWords } from "../core/kinds.js";

/** What may be chosen, in words and numbers that are ready to be shown; what is not limited is empty or missing. */
export interface HintParts {
  /** A list such as `images, PDF`. */
  kinds: string;
  minSize: string;
  maxSize: string;
  maxTotalSize: string;
  maxFiles?: number | undefined;
}

/** How many files stand where. */
export interface SummaryParts {
  files: number;
  active: number;
  done: number;
  failed: number;
  /** Of all bytes, such as `45%`. */
  percent: string;
}

/**
 * Every word of the widget that is not an error. Sizes, shares, speeds and times come as text in the reader's own way
 * of writing them; `locale` (BCP 47) is for counts and plurals.
 */
export interface UploadLabels {
  /** Name of the whole control, for assistive technology. */
  label: string;
  /** Above the button, while nothing is dragged. */
  title: string;
  /** In place of the title while files hang over the zone. */
  dropNow: string;
  /** The same, when they will not be accepted. */
  dropRefused: string;
  /** In place of the title, while files are dragged over a page that takes them anywhere. */
  dropAnywhere: string;
  choose: string;
  chooseFolder: string;
  useCamera: string;
  /** Under the button; its first letter is made large. An empty text shows nothing. */
  hint(parts: HintParts, locale: string): string;
  /** Kinds of files, in the hint and where one is not accepted; of any other kind its extension is said. */
  kinds: KindWords;
  /** Name of the list, and of the progress of all of it. */
  list: string;
  total: string;
  /** Buttons of one file. The name tells them apart. */
  cancel(name: string): string;
  retry(name: string): string;
  remove(name: string): string;
  /** Buttons of the list. */
  start: string;
  cancelAll: string;
  retryAll: string;
  clear: string;
  showMore(count: number, locale: string): string;
  /** Of the whole list. */
  summary(parts: SummaryParts, locale: string): string;
  /** In the upload button while files are on their way. */
  uploading(percent: string): string;
  /** Where one file stands. */
  queued: string;
  preparing: string;
  confirming: string;
  done: string;
  stopped: string;
  deleting: string;
  /** The next try, and how many there are. */
  retrying(attempt: number, maxAttempts: number, locale: string): string;
  sent(sentSize: string, size: string): string;
  timeLeft(duration: string): string;
  /** Said and shown while there is no connection, and said when it is back. */
  offline: string;
  online: string;
  /** Of a form: nothing was chosen; the submit waits for the files; it was not sent, because some failed. */
  required: string;
  held: string;
  heldFailed: string;
  /** Said alone. */
  added(count: number, locale: string): string;
  failed(name: string, message: string): string;
  cancelled(name: string): string;
  deleted(name: string): string;
  notDeleted(name: string, message: string): string;
  progress(percent: string): string;
  finished(done: number, failed: number, locale: string): string;
}

/** Words that only parts speak which a page puts in by itself: those bring their English ones along. */
type WordsOfExtras = "dropAnywhere" | "chooseFolder" | "useCamera" | "required" | "held" | "heldFailed";

/** The words in use, and the locale (BCP 47) of numbers between them. */
export interface Words extends Omit<UploadLabels, WordsOfExtras>, Partial<Pick<UploadLabels, WordsOfExtras>> {
  locale: string;
}

const files = (count: number, locale: string) =>
  `${count.toLocaleString(locale)} ${count === 1 ? "file" : "files"}`;

export const englishLabels: Omit<UploadLabels, WordsOfExtras> = {
  label: "Upload files",
  title: "Drag files here",
  dropNow: "Drop to upload",
  dropRefused: "These files are not accepted",
  choose: "Choose files",
  hint: ({ kinds, minSize, maxSize, maxTotalSize, maxFiles }, locale) =>
    [
      kinds,
      minSize && `from ${minSize}`,
      maxSize && `up to ${maxSize}`,
      maxFiles && `at most ${files(maxFiles, locale)}`,
      maxTotalSize && `${maxTotalSize} in all`,
    ]
      .filter(Boolean)
      .join(", "),
  kinds: englishKinds,
  list: "Files",
  total: "All files",
  cancel: (name) => `Cancel ${name}`,
  retry: (name) => `Retry ${name}`,
  remove: (name) => `Remove ${name}`,
  start: "Start upload",
  cancelAll: "Cancel all",
  retryAll: "Retry failed",
  clear: "Clear finished",
  showMore: (count, locale) => `Show ${count.toLocaleString(locale)} more`,
  summary: ({ files: count, active, done, failed, percent }, locale) =>
    active > 0
      ? `Uploading ${files(active, locale)} · ${percent}`
      : `${done.toLocaleString(locale)} of ${files(count, locale)} uploaded${failed ? `, ${failed.toLocaleString(locale)} failed` : ""}`,
  uploading: (percent) => `Uploading ${percent}`,
  queued: "Waiting",
  preparing: "Preparing",
  confirming: "Finishing",
  done: "Uploaded",
  stopped: "Cancelled",
  deleting: "Deleting",
  retrying: (attempt, maxAttempts) => `Interrupted. Trying again (${attempt} of ${maxAttempts})…`,
  sent: (sentSize, size) => `${sentSize} of ${size}`,
  timeLeft: (duration) => `${duration} left`,
  offline: "You are offline. Uploads go on when you are online again.",
  online: "You are online again.",
  added: (count, locale) => `${files(count, locale)} added.`,
  failed: (name, message) => `${name} failed. ${message}`,
  cancelled: (name) => `${name} cancelled.`,
  deleted: (name) => `${name} deleted.`,
  notDeleted: (name, message) => `${name} was not deleted. ${message}`,
  progress: (percent) => `${percent} uploaded.`,
  finished: (done, failed, locale) =>
    `${done === 0 ? "No files" : files(done, locale)} uploaded.${failed ? ` ${files(failed, locale)} failed.` : ""}`,
};
