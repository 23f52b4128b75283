import type {
  BrowserCompleteRequest,
  BrowserCompleteResponse,
  BrowserDeleteRequest,
  BrowserRoutesResponse,
  BrowserUploadRequest,
  BrowserUploadResponse,
} from "@stowage/schemas";
import type { Config } from "../config.js";
import type { Caller } from "../identify.js";
import { jitteredDelayMs, type RetryDelay } from "../retry.js";
import type { ServiceClient } from "../service-client.js";
import { completeUpload } from "./complete-upload.js";
import { deleteFile } from "./delete-file.js";
import { describeRoutes } from "./describe-routes.js";
import { requestUpload } from "./request-upload.js";

/** All that the helper does, in words of its own: the Web handler and the tRPC router are two faces of it. */
export interface Core {
  requestUpload(caller: Caller, input: BrowserUploadRequest): Promise<BrowserUploadResponse>;
  completeUpload(caller: Caller, input: BrowserCompleteRequest): Promise<BrowserCompleteResponse>;
  deleteFile(caller: Caller, input: BrowserDeleteRequest): Promise<Record<string, never>>;
  describeRoutes(): BrowserRoutesResponse;
}

/** What the verbs of the core are made of. */
export interface CoreDeps extends Pick<Config, "routes" | "allowDelete" | "timeoutMs"> {
  service: ServiceClient;
  retryDelayMs: RetryDelay;
}

export function createCore(config: Config, service: ServiceClient): Core {
  const deps: CoreDeps = { ...config, service, retryDelayMs: jitteredDelayMs };
  return {
    requestUpload: (caller, input) => requestUpload(deps, caller, input),
    completeUpload: (caller, input) => completeUpload(deps, caller, input),
    deleteFile: (caller, input) => deleteFile(deps, caller, input),
    describeRoutes: () => describeRoutes(deps),
  };
}
