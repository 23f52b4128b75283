export { createHttpTransport } from "./network/http-transport.js";
export { createFilesStore, type FilesStore } from "./files/files-store.js";
export type {
  DownloadOptions,
  FilesCommands,
  FilesSettings,
  FilesSnapshot,
  FilesStatus,
  FilesUsage,
  ListedFile,
} from "./files/files-settings.js";
export type { ErrorMessage, ErrorMessages, MessageContext } from "./messages.js";
export type { ResumableUpload } from "./resume/resumable-upload.js";
export type { Cancel, Runtime } from "./runtime.js";
export { createUploadStore, type UploadStore } from "./store/upload-store.js";
export type { UploadTotals } from "./store/totals.js";
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
export type { BrowserFile as StoredFile } from "@stowage/schemas";
