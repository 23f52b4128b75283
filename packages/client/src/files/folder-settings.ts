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

/** A folder as the page shows it. It is immutable. */
export interface FolderSnapshot extends FilesSnapshot {
  /** The folder that is shown; "" is the root. */
  readonly folder: string;
  /** The folders in it, by name. The files follow when all of them are loaded. */
  readonly folders: readonly ListedFolder[];
  /** The file that the page has deleted last, and whether {@link FolderCommands.restore} brings it back. */
  readonly lastDeleted: { readonly file: ListedFile; readonly isRestorable: boolean } | null;
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
}
