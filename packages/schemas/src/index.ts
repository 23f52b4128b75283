export {
  browserCompleteBatch,
  browserErrorBody,
  browserRequestBatch,
  type BrowserBatchResult,
  type BrowserCompleteBatch,
  type BrowserCompleteBatchResponse,
  type BrowserErrorBody,
  type BrowserRequestBatch,
  type BrowserRequestBatchResponse,
} from "./browser/batch.js";
export {
  browserDeleteRequest,
  browserDownloadQuery,
  browserDownloadRequest,
  browserDownloadResponse,
  browserDownloadsRequest,
  browserDownloadsResponse,
  browserFile,
  browserFoldersQuery,
  browserFoldersResponse,
  browserListedFile,
  browserListQuery,
  browserListResponse,
  browserUpdateRequest,
  browserUsageResponse,
  type BrowserDeleteRequest,
  type BrowserDeleteResponse,
  type BrowserDownloadRequest,
  type BrowserDownloadRequestBody,
  type BrowserDownloadResponse,
  type BrowserDownloadsRequest,
  type BrowserDownloadsRequestBody,
  type BrowserDownloadsResponse,
  type BrowserFile,
  type BrowserFoldersQuery,
  type BrowserFoldersQueryInput,
  type BrowserFoldersResponse,
  type BrowserListedFile,
  type BrowserListQuery,
  type BrowserListQueryInput,
  type BrowserListResponse,
  type BrowserUpdateRequest,
  type BrowserUpdateRequestBody,
  type BrowserUsageResponse,
} from "./browser/files.js";
export {
  browserDeleteFolderRequest,
  browserJobQuery,
  browserMoveFolderRequest,
  type BrowserDeleteFolderRequest,
  type BrowserJob,
  type BrowserJobQuery,
  type BrowserJobQueryInput,
  type BrowserMoveFolderRequest,
  type BrowserStartedJob,
} from "./browser/folder-jobs.js";
export {
  browserLinksQuery,
  browserRevokeLinkRequest,
  browserShareRequest,
  type BrowserLink,
  type BrowserLinksQuery,
  type BrowserLinksQueryInput,
  type BrowserLinksResponse,
  type BrowserRevokeLinkRequest,
  type BrowserRevokeLinkRequestBody,
  type BrowserShareRequest,
  type BrowserShareRequestBody,
  type BrowserShareResponse,
} from "./browser/links.js";
export {
  browserRestoreVersionRequest,
  browserVersionsQuery,
  type BrowserRestoreVersionRequest,
  type BrowserRestoreVersionRequestBody,
  type BrowserVersionsQuery,
  type BrowserVersionsQueryInput,
  type BrowserVersionsResponse,
} from "./browser/versions.js";
export {
  browserListPartsQuery,
  browserListPartsResponse,
  browserOpenQuery,
  browserOpenResponse,
  browserOpenUpload,
  browserSignPartsRequest,
  browserSignPartsResponse,
  type BrowserListPartsQuery,
  type BrowserListPartsResponse,
  type BrowserOpenQuery,
  type BrowserOpenQueryInput,
  type BrowserOpenResponse,
  type BrowserOpenUpload,
  type BrowserSignPartsRequest,
  type BrowserSignPartsRequestBody,
  type BrowserSignPartsResponse,
} from "./browser/parts.js";
export {
  browserRoute,
  browserRoutesResponse,
  type BrowserRoute,
  type BrowserRoutesResponse,
} from "./browser/routes.js";
export {
  browserCancelRequest,
  browserCompleteRequest,
  browserCompleteResponse,
  browserDiscardRequest,
  browserMultipartResponse,
  browserUploadRequest,
  browserUploadResponse,
  type BrowserCancelRequest,
  type BrowserCompleteRequest,
  type BrowserCompleteResponse,
  type BrowserDiscardRequest,
  type BrowserMultipartResponse,
  type BrowserRequestResponse,
  type BrowserUploadRequest,
  type BrowserUploadRequestBody,
  type BrowserUploadResponse,
} from "./browser/upload.js";
export type { Call, Operation } from "./call.js";
export * as calls from "./calls.js";
export {
  cancelRequest,
  cancelResponse,
  type CancelRequest,
  type CancelResponse,
} from "./calls/cancel-upload.js";
export { completeRequest, type CompleteRequest } from "./calls/complete-upload.js";
export {
  downloadRequest,
  downloadResponse,
  type DownloadRequest,
  type DownloadResponse,
} from "./calls/create-download.js";
export {
  downloadsRequest,
  downloadsResponse,
  type DownloadsRequest,
  type DownloadsResponse,
} from "./calls/create-downloads.js";
export {
  createLinkRequest,
  createLinkResponse,
  type CreateLinkRequest,
  type CreateLinkResponse,
} from "./calls/create-link.js";
export {
  deleteRequest,
  deleteResponse,
  type DeleteRequest,
  type DeleteResponse,
} from "./calls/delete-files.js";
export {
  deleteTenantRequest,
  deleteTenantResponse,
  type DeleteTenantRequest,
  type DeleteTenantResponse,
} from "./calls/delete-tenant.js";
export {
  exportLine,
  exportTenantQuery,
  type ExportLine,
  type ExportTenantQuery,
} from "./calls/export-tenant.js";
export { findFileQuery, type FindFileQuery } from "./calls/find-file.js";
export {
  followedEvent,
  followEventsQuery,
  followEventsResponse,
  type FollowedEvent,
  type FollowEventsQuery,
  type FollowEventsResponse,
} from "./calls/follow-events.js";
export {
  listVersionsQuery,
  type ListVersionsQuery,
  listVersionsResponse,
  type ListVersionsResponse,
} from "./calls/list-versions.js";
export { restoreVersionRequest, type RestoreVersionRequest } from "./calls/restore-version.js";
export { holdRequest, type HoldRequest } from "./calls/hold-file.js";
export {
  listFilesQuery,
  listFilesResponse,
  type ListFilesQuery,
  type ListFilesResponse,
} from "./calls/list-files.js";
export {
  listedFolder,
  listFoldersQuery,
  type ListFoldersQuery,
  listFoldersResponse,
  type ListFoldersResponse,
} from "./calls/list-folders.js";
export { folder } from "./folder.js";
export { job, startedJob, type Job, type StartedJob } from "./job.js";
export { moveFolderRequest, type MoveFolderRequest } from "./calls/move-folder.js";
export { deleteFolderRequest, type DeleteFolderRequest } from "./calls/delete-folder.js";
export { readJobQuery, type ReadJobQuery } from "./calls/read-job.js";
export {
  listLinksQuery,
  listLinksResponse,
  type ListLinksQuery,
  type ListLinksResponse,
} from "./calls/list-links.js";
export {
  listPartsQuery,
  listPartsResponse,
  storedPart,
  type ListPartsQuery,
  type ListPartsResponse,
  type StoredPart,
} from "./calls/list-parts.js";
export {
  listTenantsQuery,
  listTenantsResponse,
  tenantSorts,
  type ListTenantsQuery,
  type ListTenantsResponse,
  type TenantSort,
} from "./calls/list-tenants.js";
export {
  listUploadsQuery,
  listUploadsResponse,
  openUpload,
  type ListUploadsQuery,
  type ListUploadsResponse,
  type OpenUpload,
} from "./calls/list-uploads.js";
export {
  openUploadRequest,
  openUploadResponse,
  type OpenUploadRequest,
  type OpenUploadRequestBody,
  type OpenUploadResponse,
} from "./calls/open-upload.js";
export { dailyUsageResponse, type DailyUsageResponse } from "./calls/read-daily-usage.js";
export { monthlyUsageResponse, type MonthlyUsageResponse } from "./calls/read-monthly-usage.js";
export { usageQuery, usageResponse, type UsageQuery, type UsageResponse } from "./calls/read-usage.js";
export { scanResultRequest, type ScanResultRequest } from "./calls/report-scan.js";
export {
  uploadHeaders,
  uploadRequest,
  uploadResponse,
  type UploadRequest,
  type UploadRequestBody,
  type UploadResponse,
} from "./calls/request-upload.js";
export {
  restoredFiles,
  restoreRequest,
  restoreResponse,
  type RestoredFiles,
  type RestoreRequest,
  type RestoreResponse,
} from "./calls/restore-files.js";
export { revokeLinkRequest, type RevokeLinkRequest } from "./calls/revoke-link.js";
export { deletePlanRequest, type DeletePlanRequest } from "./calls/delete-plan.js";
export { listPlansResponse, type ListPlansResponse } from "./calls/list-plans.js";
export { setLimitsRequest, type SetLimitsRequest } from "./calls/set-limits.js";
export { setPlanRequest, type SetPlanRequest } from "./calls/set-plan.js";
export { setQuotaRequest, type SetQuotaRequest } from "./calls/set-quota.js";
export { visibilityRequest, type VisibilityRequest } from "./calls/set-visibility.js";
export {
  signedPart,
  signPartsRequest,
  signPartsResponse,
  type SignedPart,
  type SignPartsRequest,
  type SignPartsResponse,
} from "./calls/sign-parts.js";
export { updateRequest, type UpdateRequest } from "./calls/update-file.js";
export { camelKeys, snakeKeys, type CamelKeys, type SnakeKeys } from "./casing.js";
export { dispositions, type Disposition } from "./download-options.js";
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
  filename,
  metadata,
  presetName,
  searchText,
  tenantId,
  visibilities,
  visibility,
  type Visibility,
} from "./fields.js";
export { file, fileStatuses, type File, type FileStatus } from "./file.js";
export { link, type Link } from "./link.js";
export { metersQuery, type DailyMeters, type MetersQuery, type MonthlyMeters } from "./meters.js";
export { limits } from "./limits.js";
export { errorsOf, operations, type OperationId } from "./operations.js";
export { parse } from "./parse.js";
export { scanStatuses, scanVerdicts, type ScanStatus, type ScanVerdict } from "./scan.js";
export { plan, planName, type CountLimits, type Plan } from "./tenant-limits.js";
export { quotaSources, tenant, type QuotaSource, type Tenant } from "./tenant.js";
export { trpcCodes } from "./trpc-codes.js";
export type { Json, RoutesOf, RouteTypes, TypedRoutes } from "./typed-routes.js";
export { WEBHOOK_SECRET_PREFIX, webhookKeyBytes } from "./webhook-secret.js";
export {
  webhookEvent,
  webhookEventSummaries,
  webhookEventTypes,
  webhookHeaders,
  type ChosenWebhookEventType,
  type WebhookEvent,
  type WebhookEventType,
  type WebhookHeaders,
} from "./webhooks.js";
