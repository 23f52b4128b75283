export type { FolderCommands, FolderJob, FolderSnapshot, ListedFolder } from "@stowage/client";
export type { FileBrowserLabels } from "@stowage/client/internals";
export type { FileAction } from "./use-file-actions.js";
export { FileBrowser, type FileBrowserProps } from "./file-browser.js";
export { useFolder, type UseFolderOptions, type UseFolderResult } from "./use-folder.js";
