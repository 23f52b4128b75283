export type { AllowDelete, DeleteContext, StowageOptions, TenantOf } from "./config.js";
export { createStowage, type Stowage } from "./create-stowage.js";
export type { Handler } from "./handler.js";
export type { BeforeUploadContext, CompleteContext, UploadRoute } from "./routes/upload-route.js";
export type { StoredFile } from "./records.js";
export { routeOf } from "./routes/route-label.js";
export type { StandardSchema } from "./standard-schema.js";
export {
  StowageError,
  type BrowserCompleteResponse,
  type BrowserErrorBody,
  type BrowserFile,
  type BrowserRoute,
  type BrowserRoutesResponse,
  type BrowserUploadResponse,
  type ErrorCode,
  type RoutesOf,
} from "@stowage/schemas";
export type { Accept, Size } from "@stowage/schemas/rules";
