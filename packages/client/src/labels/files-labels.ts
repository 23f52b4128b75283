import type { UploadLabels } from "./labels.js";

/** English texts of what was dropped, chosen or pasted. They are loaded with the code that reads it. */
export const englishFilesLabels: Pick<UploadLabels, "emptyFolder" | "packageFolders" | "saveFirst"> = {
  emptyFolder: "This folder has no files.",
  packageFolders: (names) => `Package folders must be compressed first: ${names}.`,
  saveFirst: "Save this as a file first, then choose the file.",
};

/** The message of a file without content. Not in `upload-messages.ts`, which lists of stored files load first. */
export const notSavedError = { file_not_saved: englishFilesLabels.saveFirst };
