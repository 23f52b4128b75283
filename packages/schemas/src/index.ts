export {
  browserCompleteRequest,
  browserUploadRequest,
  browserUploadResponse,
  type BrowserCompleteRequest,
  type BrowserUploadRequest,
  type BrowserUploadRequestBody,
  type BrowserUploadResponse,
} from "./browser.js";
export { camelKeys, snakeKeys, type CamelKeys, type SnakeKeys } from "./casing.js";
export { errorCatalogue, StowageError, type ErrorBody, type ErrorCode } from "./errors.js";
export {
  completeRequest,
  file,
  fileStatuses,
  listFilesQuery,
  listFilesResponse,
  type CompleteRequest,
  type File,
  type FileStatus,
  type ListFilesQuery,
  type ListFilesResponse,
} from "./file.js";
export { limits } from "./limits.js";
export { parse } from "./parse.js";
export {
  uploadRequest,
  uploadResponse,
  type UploadRequest,
  type UploadRequestBody,
  type UploadResponse,
} from "./upload.js";
