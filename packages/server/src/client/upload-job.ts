import type { RetryPolicy } from "../service-api/retry.js";
import type { ServiceClient } from "../service-api/service-client.js";
import type { Source } from "./open-source.js";
import type { Progress } from "./progress.js";
import type { PartOptions, UploadInput } from "./upload-input.js";

export interface UploadDeps {
  service: ServiceClient;
  retry: RetryPolicy;
  /** For the calls and PUTs of an upload by parts, which may take hours. */
  partRetry: RetryPolicy;
  stallTimeoutMs: number;
  /** `demandsMd5` is set once storage has refused a PUT for having no MD5. */
  storage: { demandsMd5: boolean };
}

/** One call of `upload`. */
export interface UploadJob {
  deps: UploadDeps;
  input: UploadInput;
  parts: PartOptions;
  source: Source;
  progress: Progress;
  /** Aborts when the caller's signal does, or when a callback of the caller throws. */
  signal: AbortSignal;
}
