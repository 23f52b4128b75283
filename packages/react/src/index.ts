export type { Accept } from "./core/accepts.js";
export type { ErrorMessage, ErrorMessages, MessageContext } from "./core/messages.js";
export type { UploadTotals } from "./core/totals.js";
export type { UploadErrorCode } from "./core/upload-error.js";
export type {
  UploadFailure,
  UploadItem,
  UploadRetry,
  UploadState,
  UploadStatus,
} from "./core/upload-item.js";
export type { UploadLimits } from "./core/validate-file.js";
export type { UploadLabels } from "./parts/labels.js";
export { UploadDropzone, type UploadDropzoneProps, type UploadMessages } from "./upload-dropzone.js";
export { useUpload, type UseUploadOptions, type UseUploadResult } from "./use-upload.js";
export type { File as StoredFile } from "@stowage/schemas";
