import { file, type BrowserCompleteRequest, type File } from "@stowage/schemas";
import type { Caller } from "../identify.js";
import { retryUnavailable, type RetryDelay } from "../retry.js";
import type { ServiceClient } from "../service-client.js";

/** A file as its owner's browser sees it. The tenant is left out: it is the customer's own ID of that user. */
export type BrowserFile = Omit<File, "tenant_id">;

const browserFile = file.omit({ tenant_id: true });

/**
 * Has the service look for the uploaded bytes in storage. The caller's tenant always goes along, so that one user's
 * browser cannot complete, or even find, another's file.
 *
 * @throws {StowageError} such as `upload_not_found`, `file_not_found`, `unavailable`
 */
export async function completeUpload(
  { service, retryDelayMs }: { service: ServiceClient; retryDelayMs: RetryDelay },
  caller: Caller,
  input: BrowserCompleteRequest,
): Promise<BrowserFile> {
  const body = { file_path: input.filePath, tenant_id: caller.tenantId };
  // To look twice changes nothing, so a call that failed on its way is made again.
  const answer = await retryUnavailable(
    () => service.post("complete", body, browserFile, caller.signal),
    retryDelayMs,
    caller.signal,
  );
  return answer.body;
}
