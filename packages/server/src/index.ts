export type { Allow, CallerContext, FileContext, StowageOptions, TenantOf } from "./config.js";
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
  type BrowserFile,
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
