import type { ErrorMessages } from "../messages.js";

const NOT_CHANGED = "This file cannot be changed here.";

/** The messages of failures that only folders have. Lists of files do not contain them, to be small. */
export const englishFolderErrors = {
  update_refused: NOT_CHANGED,
  restore_refused: NOT_CHANGED,
  folder_refused: "Your files cannot be shown here.",
  folder_job_refused: "This folder cannot be moved or deleted here.",
  folder_busy: "This folder is already being moved or deleted. Try again in a moment.",
} satisfies Partial<ErrorMessages>;
