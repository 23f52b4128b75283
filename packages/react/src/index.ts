export { createHttpTransport } from "./core/network/http-transport.js";
export type { ErrorMessage, ErrorMessages, MessageContext } from "./core/messages.js";
export type { ResumableUpload } from "./core/resume/resumable-upload.js";
export type { UploadTotals } from "./core/store/totals.js";
export type {
  HttpHeaders,
  HttpTransportOptions,
  PutOptions,
  MultipartTicket,
  PartTicket,
  UploadTicket,
  UploadTransport,
} from "./core/transport.js";
export { UploadError, type UploadErrorCode, type UploadErrorDetails } from "./core/upload-error.js";
export type {
  UploadFailure,
  UploadItem,
  UploadRetry,
  UploadState,
  UploadStatus,
} from "./core/upload-item.js";
export type { UploadLimits } from "./core/upload-limits.js";
export type {
  DoneItem,
  RemoveOptions,
  UploadCommands,
  UploadSettings,
  UploadSnapshot,
} from "./core/upload-settings.js";
export {
  createUploader,
  type InputSetting,
  type RouteCallbacks,
  type RouteData,
  type RouteFilesOptions,
  type RouteKey,
  type RouteName,
  type RouteSettings,
  type Uploader,
  type UploaderDefaults,
} from "./create-uploader.js";
export {
  createUploadClient,
  defaultUploadClient,
  type UploadClient,
  type UploadClientOptions,
} from "./parts/provider.js";
export type { UploadLabels } from "./parts/labels.js";
export type { HintParts, SummaryParts } from "./parts/labels.js";
export * as Upload from "./parts/index.js";
export type { UploadMessages, UploadRootProps } from "./parts/root.js";
export { UploadButton, type UploadButtonProps } from "./upload-button.js";
export { UploadDropzone, type UploadDropzoneProps } from "./upload-dropzone.js";
export type {
  DownloadOptions,
  FilesCommands,
  FilesSnapshot,
  FilesStatus,
  FilesUsage,
  ListedFile,
} from "./core/files/files-settings.js";
export { useFiles, type UseFilesOptions, type UseFilesResult } from "./use-files.js";
export { useUpload, type UseUploadOptions, type UseUploadResult } from "./use-upload.js";
export type { BrowserFile as StoredFile } from "@stowage/schemas";
export type { Accept, FileRules, Size } from "@stowage/schemas/rules";
