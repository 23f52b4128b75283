import { englishGridLabels, type FileGridLabels } from "./image-labels.js";

/** The texts of `FileBrowser`. `empty` is about a folder. */
export interface FileBrowserLabels extends FileGridLabels {
  /** Accessible name of the path above the list. */
  path: string;
  /** The folder that has all others. */
  root: string;
  /** Accessible name of the two layouts, and the layouts. */
  view: string;
  asList: string;
  asGrid: string;
  /** Buttons of one file or folder, with and without its name. The longer text contains the shorter one. */
  rename: string;
  renameFile(name: string): string;
  move: string;
  moveFile(name: string): string;
  delete: string;
  deleteFile(name: string): string;
  /** Asks before a folder is deleted. @param files what is in it and below it, such as `12 files` */
  confirmDelete(name: string, files: string): string;
  /** Names of the fields for a new name and for another folder, and the buttons of both. */
  newName(name: string): string;
  newFolder(name: string): string;
  save: string;
  cancel: string;
  /** How many files are in a folder and below it. */
  fileCount(count: number, locale: string | undefined): string;
  /** What is being done with a folder. */
  movingFolder(name: string): string;
  deletingFolder(name: string): string;
  /** Files that a move or a delete of their folder has not changed. @param files such as `3 files` */
  unchanged(files: string): string;
  /** What was done, for screen readers too. */
  renamed(name: string): string;
  moved(name: string, folder: string): string;
  deleted(name: string): string;
  restored(name: string): string;
  /** The button that brings the deleted file back. */
  undo: string;
}

export const englishBrowserLabels: FileBrowserLabels = {
  ...englishGridLabels,
  empty: "This folder is empty.",
  path: "Folder",
  root: "All files",
  view: "View",
  asList: "List",
  asGrid: "Grid",
  rename: "Rename",
  renameFile: (name) => `Rename ${name}`,
  move: "Move",
  moveFile: (name) => `Move ${name}`,
  delete: "Delete",
  deleteFile: (name) => `Delete ${name}`,
  confirmDelete: (name, files) => `Delete ${name} with ${files}? This cannot be undone here.`,
  newName: (name) => `New name of ${name}`,
  newFolder: (name) => `Folder of ${name}`,
  save: "Save",
  cancel: "Cancel",
  fileCount: (count, locale) => (count === 1 ? "1 file" : `${count.toLocaleString(locale ?? "en")} files`),
  movingFolder: (name) => `Moving ${name}…`,
  deletingFolder: (name) => `Deleting ${name}…`,
  unchanged: (files) => `Not changed: ${files}.`,
  renamed: (name) => `Renamed to ${name}.`,
  moved: (name, folder) => `${name} was moved to ${folder}.`,
  deleted: (name) => `${name} was deleted.`,
  restored: (name) => `${name} was restored.`,
  undo: "Undo",
};
