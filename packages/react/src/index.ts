export { createHttpTransport, createUploadClient, defaultUploadClient, UploadError } from "@stowage/client";
export type {
  Accept,
  DoneItem,
  DownloadOptions,
  ErrorMessage,
  ErrorMessages,
  FileRules,
  FilesCommands,
  FilesSnapshot,
  FilesStatus,
  FilesUsage,
  HintParts,
  HttpHeaders,
  HttpTransportOptions,
  ListedFile,
  MessageContext,
  MultipartTicket,
  PartTicket,
  PutOptions,
  RemoveOptions,
  ResumableUpload,
  Size,
  StoredFile,
  SummaryParts,
  UploadClient,
  UploadClientOptions,
  UploadCommands,
  UploadErrorCode,
  UploadErrorDetails,
  UploadFailure,
  UploadItem,
  UploadLabels,
  UploadLimits,
  UploadMessages,
  UploadRetry,
  UploadSettings,
  UploadSnapshot,
  UploadState,
  UploadStatus,
  UploadTicket,
  UploadTotals,
  UploadTransport,
} from "@stowage/client";
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
/** The unstyled parts of the widget: `Upload.Root`, `Upload.List` and others. They are also the exports of `@stowage/react/parts`. */
export * as Upload from "./parts/index.js";
export type { UploadRootProps } from "./parts/root.js";
export { UploadButton, type UploadButtonProps } from "./upload-button.js";
export { UploadDropzone, type UploadDropzoneProps } from "./upload-dropzone.js";
export { useFiles, type UseFilesOptions, type UseFilesResult } from "./use-files.js";
export { useUpload, type UseUploadOptions, type UseUploadResult } from "./use-upload.js";
