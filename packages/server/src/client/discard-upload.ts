import { calls } from "@stowage/schemas";
import { retryCall } from "../service-api/retry.js";
import type { UploadJob } from "./upload-job.js";

/** The longest time that an upload spends on releasing its reservation. */
const DISCARD_TIMEOUT_MS = 10_000;

/**
 * Deletes the file of an upload of either kind, if possible. Not `cancel/`: that would keep a file whose bytes just arrived. If it
 * fails, the reservation expires by itself.
 *
 * @returns whether the file was deleted
 */
export async function discardUpload({ deps, input }: UploadJob, path: string): Promise<boolean> {
  const signal = AbortSignal.timeout(DISCARD_TIMEOUT_MS);
  const body = { file_paths: [path], tenant_id: input.tenantId };
  try {
    await retryCall(() => deps.service.call(calls.deleteFiles, body, signal), deps.retry, signal);
    return true;
  } catch {
    return false;
  }
}
