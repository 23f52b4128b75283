import type { ResumeLabel, UploadLabels } from "./labels.js";

/** English texts of the uploads that can be continued. */
export const englishResumeLabels: Pick<UploadLabels, ResumeLabel> = {
  resumable: "Unfinished uploads",
  resume: "Continue",
  resumeFile: (name) => `Continue ${name}`,
  discardUpload: "Discard",
  discardFile: (name) => `Discard ${name}`,
  expires: (date) => `expires ${date}`,
  chooseAgain: "Choose the file again to continue.",
  checkingFile: "Checking the file",
  lost: (names) => `Not uploaded, because the page was closed: ${names}. Choose these files again.`,
  resumableFound: (count, locale) =>
    count === 1
      ? "1 unfinished upload can be continued."
      : `${count.toLocaleString(locale)} unfinished uploads can be continued.`,
  discarded: (name) => `${name} discarded.`,
};
