import type { BrowserCompleteRequest, BrowserUploadRequest, BrowserUploadResponse } from "@stowage/schemas";
import type { Caller } from "../identify.js";
import { jitteredDelayMs } from "../retry.js";
import type { ServiceClient } from "../service-client.js";
import { completeUpload, type BrowserFile } from "./complete-upload.js";
import { requestUpload } from "./request-upload.js";

/** All that the helper does, in words of its own: the Web handler and the tRPC router are two faces of it. */
export interface Core {
  requestUpload(caller: Caller, input: BrowserUploadRequest): Promise<BrowserUploadResponse>;
  completeUpload(caller: Caller, input: BrowserCompleteRequest): Promise<BrowserFile>;
}

export function createCore(service: ServiceClient): Core {
  return {
    requestUpload: (caller, input) => requestUpload({ service }, caller, input),
    completeUpload: (caller, input) =>
      completeUpload({ service, retryDelayMs: jitteredDelayMs }, caller, input),
  };
}
