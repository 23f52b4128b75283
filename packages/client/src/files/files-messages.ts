import type { ErrorMessages } from "../messages.js";

const NOT_SHOWN = "Your files cannot be shown here.";
const NOT_DOWNLOADED = "This file cannot be downloaded here.";

/** The messages of failures that only lists of stored files have. The widget does not contain them, to be small. */
export const englishFilesErrors = {
  list_refused: NOT_SHOWN,
  usage_refused: NOT_SHOWN,
  download_refused: NOT_DOWNLOADED,
  share_refused: "This file cannot be shared here.",
  versions_refused: "The versions of this file cannot be shown or restored here.",
  preset_not_found: NOT_DOWNLOADED,
  variant_impossible: NOT_DOWNLOADED,
  variant_failed: NOT_DOWNLOADED,
  variant_pending: "This picture is still being prepared. Try again in a moment.",
  file_not_scanned: "This file is still being checked for viruses. Try again in a moment.",
  file_quarantined: "This file is blocked, because the virus check found something in it.",
  file_not_found: "This file was not found. It may have been deleted.",
} satisfies Partial<ErrorMessages>;
