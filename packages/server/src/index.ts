export type { StowageOptions, TenantOf } from "./config.js";
export type { BrowserFile } from "./core/complete-upload.js";
export { createStowage, type Stowage } from "./create-stowage.js";
export type { Handler } from "./handler.js";
export type { HelperErrorBody } from "./render-error.js";
export type { StowageContext, StowageRouter } from "./router.js";
export { StowageError, type ErrorCode } from "@stowage/schemas";
