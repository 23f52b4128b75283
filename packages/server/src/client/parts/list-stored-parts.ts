import { calls, type StoredPart } from "@stowage/schemas";
import { retryCall } from "../../service-api/retry.js";
import type { UploadJob } from "../upload-job.js";

/** Lists the parts of an upload that are in storage: at most 10,000, a page at a time. */
export async function listStoredParts(
  { deps, input, signal }: UploadJob,
  filePath: string,
): Promise<StoredPart[]> {
  const stored: StoredPart[] = [];
  for (let cursor: string | undefined | null; cursor !== null;) {
    const query = { file_path: filePath, tenant_id: input.tenantId, cursor: cursor ?? undefined };
    const request = () => deps.service.call(calls.listParts, query, signal);
    const { body } = await retryCall(request, deps.partRetry, signal);
    stored.push(...body.parts);
    cursor = body.next_cursor;
  }
  return stored;
}
