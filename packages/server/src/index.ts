export type {
  Allow,
  CallerContext,
  FileContext,
  FolderContext,
  FolderJobContext,
  PathContext,
  StowageOptions,
  TenantOf,
  UpdateContext,
} from "./config.js";
export { createStowage, type Stowage } from "./create-stowage.js";
export type { Handler } from "./http/handler.js";
export { routeOf } from "./routes/route-label.js";
export type { StandardSchema } from "./routes/standard-schema.js";
export type { BeforeUploadContext, CompleteContext, UploadRoute } from "./routes/upload-route.js";
export type { CompletedFile, StoredFile } from "./service-api/records.js";
export {
  StowageError,
  type BrowserCompleteResponse,
  type BrowserDownloadResponse,
  type BrowserErrorBody,
  type BrowserDeleteResponse,
  type BrowserFile,
  type BrowserFoldersResponse,
  type BrowserJob,
  type BrowserListedFile,
  type BrowserListResponse,
  type BrowserRoute,
  type BrowserRoutesResponse,
  type BrowserUploadResponse,
  type BrowserUsageResponse,
  type ErrorCode,
  type RoutesOf,
} from "@stowage/schemas";
export type { Accept, Size } from "@stowage/schemas/rules";
