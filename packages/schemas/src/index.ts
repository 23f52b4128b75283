export {
  browserCancelRequest,
  browserCompleteRequest,
  browserCompleteResponse,
  browserDeleteRequest,
  browserDiscardRequest,
  browserDownloadRequest,
  browserDownloadResponse,
  browserErrorBody,
  browserFile,
  browserListedFile,
  browserListQuery,
  browserListResponse,
  browserRoute,
  browserRoutesResponse,
  browserUploadRequest,
  browserUploadResponse,
  browserUsageResponse,
  type BrowserCancelRequest,
  type BrowserCompleteRequest,
  type BrowserCompleteResponse,
  type BrowserDeleteRequest,
  type BrowserDiscardRequest,
  type BrowserDownloadRequest,
  type BrowserDownloadRequestBody,
  type BrowserDownloadResponse,
  type BrowserErrorBody,
  type BrowserFile,
  type BrowserListedFile,
  type BrowserListQuery,
  type BrowserListQueryInput,
  type BrowserListResponse,
  type BrowserRoute,
  type BrowserRoutesResponse,
  type BrowserUploadRequest,
  type BrowserUploadRequestBody,
  type BrowserUploadResponse,
  type BrowserUsageResponse,
} from "./browser.js";
export * as calls from "./calls.js";
export type { Call } from "./calls.js";
export { cancelRequest, cancelResponse, type CancelRequest, type CancelResponse } from "./cancel.js";
export { camelKeys, snakeKeys, type CamelKeys, type SnakeKeys } from "./casing.js";
export { deleteRequest, deleteResponse, type DeleteRequest, type DeleteResponse } from "./delete.js";
export {
  dispositions,
  downloadRequest,
  downloadResponse,
  type Disposition,
  type DownloadRequest,
  type DownloadResponse,
} from "./download.js";
export {
  errorCatalogue,
  errorCodeOf,
  helperErrors,
  routeNotFoundDetail,
  serviceErrors,
  StowageError,
  type ErrorBody,
  type ErrorCode,
  type ErrorStatus,
} from "./errors.js";
export {
  completeRequest,
  file,
  fileStatuses,
  findFileQuery,
  listFilesQuery,
  listFilesResponse,
  type CompleteRequest,
  type File,
  type FileStatus,
  type FindFileQuery,
  type ListFilesQuery,
  type ListFilesResponse,
} from "./file.js";
export { limits } from "./limits.js";
export { tenantId } from "./fields.js";
export { errorsOf, operations, type Operation, type OperationId } from "./operations.js";
export { parse } from "./parse.js";
export {
  listTenantsQuery,
  listTenantsResponse,
  quotaSources,
  setQuotaRequest,
  tenant,
  tenantSorts,
  usageQuery,
  usageResponse,
  type ListTenantsQuery,
  type ListTenantsResponse,
  type QuotaSource,
  type SetQuotaRequest,
  type Tenant,
  type TenantSort,
  type UsageQuery,
  type UsageResponse,
} from "./tenant.js";
export { trpcCodes } from "./trpc-codes.js";
export type { Json, RoutesOf, RouteTypes, TypedRoutes } from "./typed-routes.js";
export {
  uploadHeaders,
  uploadRequest,
  uploadResponse,
  type UploadRequest,
  type UploadRequestBody,
  type UploadResponse,
} from "./upload.js";
