import type { BrowserFoldersResponse } from "@stowage/schemas";
import type { FilesCommands, FilesSettings, FilesSnapshot, ListedFile } from "./files-settings.js";

/** A folder with its whole name: `folder`, `file_count` and `used_bytes` with everything below and in the trash. */
export type ListedFolder = BrowserFoldersResponse["folders"][number];

/** Which folder is shown, and where its files come from. */
export interface FolderSettings extends FilesSettings {
  /**
   * The folder, such as `"reports/2026"`.
   *
   * @default "", the root
   */
  folder?: string | undefined;
}

/** A move or a delete of a folder that this page has started. */
export interface FolderJob {
  /** The whole name of the folder. */
  readonly folder: string;
  /** Its new name; null for a delete. */
  readonly to: string | null;
  readonly state: "running" | "done";
  /** Files in the folder and below it when the job began; 0 until that is known. */
  readonly total: number;
  /** Files that were moved or deleted until now. */
  readonly done: number;
  /** Files that stay, such as those on hold. */
  readonly kept: number;
}

/** A folder as the page shows it. It is immutable. */
export interface FolderSnapshot extends FilesSnapshot {
  /** The folder that is shown; "" is the root. */
  readonly folder: string;
  /** The folders in it, by name. The files follow when all of them are loaded. */
  readonly folders: readonly ListedFolder[];
  /** The file that the page has deleted last, and whether {@link FolderCommands.restore} brings it back. */
  readonly lastDeleted: { readonly file: ListedFile; readonly isRestorable: boolean } | null;
  /** The folder that is being moved or deleted, or was last; null if there was none. Another page does not see it. */
  readonly job: FolderJob | null;
}

/** What a page can do in a folder. The promises of its own commands never reject: `error` says what failed. */
export interface FolderCommands extends Omit<FilesCommands, "remove"> {
  /** Deletes a file. The helper must allow this with `allowDelete`. */
  remove(file: ListedFile): Promise<void>;
  /**
   * Brings a file back that was deleted here. The helper must allow this with `allowRestore`, and the project must have a trash.
   *
   * @returns whether the file is back
   */
  restore(file: ListedFile): Promise<boolean>;
  /**
   * Renames a file, or moves it to another folder. The helper must allow this with `allowUpdate`, and a move with `allowFolders`.
   *
   * @returns whether the file was changed
   */
  update(file: ListedFile, change: { filename?: string; folder?: string }): Promise<boolean>;
  /**
   * Gives a folder another name, with everything below it, and follows the job until its end. One job runs at a time. The helper must allow
   * this with `allowFolderJobs`, and both folders with `allowFolders`.
   *
   * @param to the new name, not the folder to put it into
   * @returns the job when it has ended; null if it was not started, cannot be followed, or the list was stopped
   */
  moveFolder(folder: string, to: string): Promise<FolderJob | null>;
  /**
   * Deletes the files in a folder and below it, as {@link FolderCommands.moveFolder}. The page cannot restore them. The folder is left out
   * of `folders`, also while its files are in the trash. When the page is loaded again, it is listed until they leave the trash.
   */
  removeFolder(folder: string): Promise<FolderJob | null>;
}
