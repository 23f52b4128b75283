import type { ActiveLabels } from "../labels/labels.js";
import type { englishResumeLabels } from "../labels/resume-labels.js";
import type { ResumableUpload } from "../resume/resumable-upload.js";

export type ResumeLabels = ActiveLabels & typeof englishResumeLabels;

/** What the person has to do or to wait for; empty if Continue is enough. */
export function resumableText(upload: ResumableUpload, labels: ResumeLabels): string {
  const { status, error, canContinueWithoutChoosing } = upload;
  if (status === "checking") {
    return labels.checkingFile;
  }
  if (status === "discarding") {
    return labels.deleting;
  }
  return error?.message ?? (canContinueWithoutChoosing ? "" : labels.chooseAgain);
}

/** Names the files that were lost with the last page; empty if there are none. */
export function lostText(lost: readonly string[], labels: ResumeLabels): string {
  return lost.length === 0 ? "" : labels.lost(lost.join(", "));
}

/** Announces uploads that were found, that were discarded, and why one could not be continued. */
export function announceResumable(
  last: readonly ResumableUpload[],
  resumable: readonly ResumableUpload[],
  labels: ResumeLabels,
  announce: (sentence: string) => void,
): void {
  const before = new Map(last.map((upload) => [upload.path, upload]));
  const added = resumable.filter(({ path }) => !before.has(path));
  if (added.length > 0) {
    announce(labels.resumableFound(added.length, labels.locale));
  }
  for (const { path, error } of resumable) {
    if (error && error !== before.get(path)?.error) {
      announce(error.message);
    }
    before.delete(path);
  }
  for (const { name, status } of before.values()) {
    if (status === "discarding") {
      announce(labels.discarded(name));
    }
  }
}
