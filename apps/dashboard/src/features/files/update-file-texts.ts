/** Texts of the dialog that renames or moves a file. */
export const updateFile = {
  title: "Rename or move this file",
  updated: "The file was changed.",
  filename: "Name",
  folder: "Folder",
  folderHint: "Such as reports/2026. Empty: no folder. Public links keep the old name.",
} as const;
