import { englishKinds, type KindWords } from "../kinds.js";
import type { ErrorMessages } from "../messages.js";

/** The limits as texts in the reader's language. A limit that is not set is an empty text or undefined. */
export interface HintParts {
  /** A list such as `images, PDF`. */
  kinds: string;
  minSize: string;
  maxSize: string;
  maxTotalSize: string;
  maxFiles?: number | undefined;
}

/** How many files are in which state. */
export interface SummaryParts {
  files: number;
  active: number;
  done: number;
  failed: number;
  /** Share of all bytes, such as `45%`. */
  percent: string;
}

/**
 * Every text of the widget, except error messages. Functions get sizes, percentages, speeds and times as formatted
 * text; `locale` (BCP 47) is for the counts and plurals that they format themselves.
 */
export interface UploadLabels {
  /** Accessible name of the whole widget. */
  label: string;
  /** Above the button, while nothing is dragged. Phones and tablets show `label` instead, because people cannot drag files there. */
  title: string;
  /** Replaces the title while files are dragged over the widget. */
  dropNow: string;
  /** The same, if the files will not be accepted. */
  dropRefused: string;
  /** Replaces the title while files are dragged over a page with `<Upload.Page drop>`. */
  dropAnywhere: string;
  /** The button that opens the file picker. */
  choose: string;
  chooseFolder: string;
  useCamera: string;
  /** Below the button. The widget capitalises the first letter. An empty text renders no hint. */
  hint(parts: HintParts, locale: string): string;
  /** Names of file kinds by their `accept` token. A kind without a name is shown as its extension: `PDF`. */
  kinds: KindWords;
  /** Accessible name of the list. */
  list: string;
  /** Accessible name of the progress bar of the whole list. */
  total: string;
  /** Buttons of one file. The name makes their accessible names unique. */
  cancel(name: string): string;
  pause(name: string): string;
  resumePaused(name: string): string;
  retry(name: string): string;
  remove(name: string): string;
  /** Offers to end unfinished uploads that hold the quota; the question before that, and its two answers. */
  discard: string;
  discardWarning: string;
  discardNow: string;
  discardNot: string;
  /** Buttons of the list. */
  start: string;
  pauseAll: string;
  resumeAll: string;
  cancelAll: string;
  retryAll: string;
  clear: string;
  /** State of the whole list. */
  summary(parts: SummaryParts, locale: string): string;
  /** In the upload button while files are uploaded. */
  uploading(percent: string): string;
  /** State of one file. `checking` follows `done` while a virus scan is under way. `stopped` is the state of a cancelled one. */
  queued: string;
  preparing: string;
  confirming: string;
  paused: string;
  /** Follows `paused` for a file whose bytes are sent again from the first one. */
  startsAgain: string;
  /** State of one file whose bytes have all left the page, while something on the way still brings them to storage. */
  receiving: string;
  done: string;
  checking: string;
  stopped: string;
  deleting: string;
  /** State of one file that waits for an automatic attempt, with the number of that attempt. */
  retrying(attempt: number, maxAttempts: number, locale: string): string;
  /** State of one file while its bytes are sent. */
  sent(sentSize: string, size: string): string;
  timeLeft(duration: string): string;
  /** Shown and announced while the browser has no network. */
  offline: string;
  /** Announced when the network is back. */
  online: string;
  /** Shown and announced while the browser has a network but the backend does not answer. */
  unreachable: string;
  /** Announced when the backend answers again. */
  reachable: string;
  /** Notices of a drop or a choice: a folder has no files; files were dropped beside the widget. */
  emptyFolder: string;
  dropMissed: string;
  /** A folder that macOS shows as one document, such as `Talk.key`, was dropped or chosen. @param names such as `Talk.key, Notes.pages` */
  packageFolders(names: string): string;
  /** A message, a link or a text was dropped, which is not a file. */
  saveFirst: string;
  /** Files of the operating system, such as `.DS_Store`, were not added. */
  leftOut(count: number, locale: string): string;
  /** Notices of a form: no file was chosen; the submit waits for the files; it was given up because a file failed. */
  required: string;
  held: string;
  heldFailed: string;
  /** Accessible name of the tray, and of its button that closes it. */
  tray: string;
  closeTray: string;
  /** Accessible name of the list of unfinished uploads; their buttons, with and without the name of the file. */
  resumable: string;
  resume: string;
  resumeFile(name: string): string;
  discardUpload: string;
  discardFile(name: string): string;
  /** When an unfinished upload ends. */
  expires(date: string): string;
  /** What a person has to do before an unfinished upload continues; shown while the file is read. */
  chooseAgain: string;
  checkingFile: string;
  /** Files that were not uploaded because the page was reloaded or closed. @param names such as `a.jpg, b.jpg` */
  lost(names: string): string;
  /** Announcements about unfinished uploads. */
  resumableFound(count: number, locale: string): string;
  discarded(name: string): string;
  /** Announcements to screen readers. */
  added(count: number, locale: string): string;
  failed(name: string, message: string): string;
  cancelled(name: string): string;
  /** One file was paused or continues; several at the same time. */
  pausedFile(name: string): string;
  resumedFile(name: string): string;
  pausedFiles: string;
  resumedFiles: string;
  deleted(name: string): string;
  notDeleted(name: string, message: string): string;
  progress(percent: string): string;
  finished(done: number, failed: number, locale: string): string;
}

/** Texts that replace the English ones: labels, error messages by code, and the locale (BCP 47) of both. */
export type UploadMessages = Partial<UploadLabels> & {
  locale?: string | undefined;
  errors?: Partial<ErrorMessages> | undefined;
};

/** Labels of parts that the styled components do not render, or render later. Those parts contain their own English texts. */
type ExtraLabel =
  | "emptyFolder"
  | "packageFolders"
  | "saveFirst"
  | "dropAnywhere"
  | "chooseFolder"
  | "useCamera"
  | "required"
  | "held"
  | "heldFailed"
  | "tray"
  | "closeTray"
  | ResumeLabel;

/** Labels of unfinished uploads. */
export type ResumeLabel =
  | "resumable"
  | "resume"
  | "resumeFile"
  | "discardUpload"
  | "discardFile"
  | "expires"
  | "chooseAgain"
  | "checkingFile"
  | "lost"
  | "resumableFound"
  | "discarded";

/** The labels in use: the page's labels over the English ones. `locale` (BCP 47) formats the numbers. */
export interface ActiveLabels
  extends Omit<UploadLabels, ExtraLabel>, Partial<Pick<UploadLabels, ExtraLabel>> {
  locale: string;
}

const fileCount = (count: number, locale: string) =>
  `${count.toLocaleString(locale)} ${count === 1 ? "file" : "files"}`;

export const englishLabels: Omit<UploadLabels, ExtraLabel> = {
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
      maxFiles && `at most ${fileCount(maxFiles, locale)}`,
      maxTotalSize && `${maxTotalSize} in total`,
    ]
      .filter(Boolean)
      .join(", "),
  kinds: englishKinds,
  list: "Files",
  total: "All files",
  cancel: (name) => `Cancel ${name}`,
  pause: (name) => `Pause ${name}`,
  resumePaused: (name) => `Resume ${name}`,
  retry: (name) => `Retry ${name}`,
  remove: (name) => `Remove ${name}`,
  discard: "Discard unfinished uploads",
  discardWarning: "Uploads that are running in another window or on another device may be cancelled too.",
  discardNow: "Discard",
  discardNot: "Keep",
  start: "Start upload",
  pauseAll: "Pause all",
  resumeAll: "Resume all",
  cancelAll: "Cancel all",
  retryAll: "Retry failed",
  clear: "Clear finished",
  summary({ files, active, done, failed, percent }, locale) {
    const failures = failed > 0 ? `${failed.toLocaleString(locale)} failed` : "";
    return active > 0
      ? [`Uploading ${fileCount(active, locale)}`, percent, failures].filter(Boolean).join(" · ")
      : [`${done.toLocaleString(locale)} of ${fileCount(files, locale)} uploaded`, failures]
          .filter(Boolean)
          .join(", ");
  },
  uploading: (percent) => `Uploading ${percent}`,
  queued: "Waiting",
  preparing: "Preparing",
  confirming: "Finishing",
  paused: "Paused",
  startsAgain: "Starts again from the beginning",
  receiving: "Storage is still receiving this file",
  done: "Uploaded",
  checking: "Checking for viruses",
  stopped: "Cancelled",
  deleting: "Deleting",
  retrying: (attempt, maxAttempts) => `Interrupted. Trying again (${attempt} of ${maxAttempts})…`,
  sent: (sentSize, size) => `${sentSize} of ${size}`,
  timeLeft: (duration) => `${duration} left`,
  offline: "You are offline. Uploads continue when you are online again.",
  online: "You are online again.",
  unreachable: "The server cannot be reached. Uploads continue when it answers.",
  reachable: "The server answers again.",
  dropMissed: "Drop the files inside this area.",
  leftOut: (count, locale) =>
    count === 1
      ? "1 system file was left out."
      : `${count.toLocaleString(locale)} system files were left out.`,
  added: (count, locale) => `${fileCount(count, locale)} added.`,
  failed: (name, message) => `${name} failed. ${message}`,
  cancelled: (name) => `${name} cancelled.`,
  pausedFile: (name) => `${name} paused.`,
  resumedFile: (name) => `${name} resumed.`,
  pausedFiles: "Uploads paused.",
  resumedFiles: "Uploads resumed.",
  deleted: (name) => `${name} deleted.`,
  notDeleted: (name, message) => `${name} was not deleted. ${message}`,
  progress: (percent) => `${percent} uploaded.`,
  finished(done, failed, locale) {
    const uploaded = `${done === 0 ? "No files" : fileCount(done, locale)} uploaded.`;
    return failed > 0 ? `${uploaded} ${fileCount(failed, locale)} failed.` : uploaded;
  },
};
