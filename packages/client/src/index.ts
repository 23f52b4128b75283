export type { BrowserFile as StoredFile } from "@stowage/schemas";
export type { Accept, FileRules, Size } from "@stowage/schemas/page-rules";
export type {
  CreatedShareLink,
  DownloadOptions,
  FilesCommands,
  FilesSettings,
  FilesSnapshot,
  FilesStatus,
  FilesUsage,
  ListedFile,
  ShareLink,
  ShareOptions,
} from "./files/files-settings.js";
export { createFilesStore, type FilesStore } from "./files/files-store.js";
export type {
  FolderCommands,
  FolderJob,
  FolderSettings,
  FolderSnapshot,
  ListedFolder,
} from "./files/folder-settings.js";
export { createFolderStore, type FolderStore } from "./files/folder-store.js";
export {
  createImageLoader,
  type ImageLoaderInput,
  type ImageLoaderOptions,
  type ImageSize,
  toSrcSet,
} from "./images/responsive.js";
export { type FileSource, type SourceBytes, sourceOf } from "./file-source.js";
export type { HintParts, SummaryParts, UploadLabels, UploadMessages } from "./labels/labels.js";
export type { ErrorMessage, ErrorMessages, MessageContext } from "./messages.js";
export { createHttpTransport } from "./network/http-transport.js";
export type { ResumableUpload } from "./resume/resumable-upload.js";
export type { Cancel, Runtime } from "./runtime.js";
export type { UploadTotals } from "./store/totals.js";
export {
  createUploadClient,
  defaultUploadClient,
  type UploadClient,
  type UploadClientOptions,
} from "./store/upload-client.js";
export { createUploadStore, type UploadStore } from "./store/upload-store.js";
export type {
  HttpHeaders,
  HttpTransportOptions,
  MultipartTicket,
  PartTicket,
  PutOptions,
  UploadTicket,
  UploadTransport,
} from "./transport.js";
export { UploadError, type UploadErrorCode, type UploadErrorDetails } from "./upload-error.js";
export { canPause, isActive } from "./upload-item.js";
export type { UploadFailure, UploadItem, UploadRetry, UploadState, UploadStatus } from "./upload-item.js";
export type { UploadLimits } from "./upload-limits.js";
export type {
  DoneItem,
  RemoveOptions,
  UploadCommands,
  UploadSettings,
  UploadSnapshot,
} from "./upload-settings.js";
