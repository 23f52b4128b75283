import { calls, type ListPartsResponse, type StoredPart } from "@stowage/schemas";
import { retryCall } from "../../service-api/retry.js";
import type { UploadJob } from "../upload-job.js";

/** An open upload, and what storage has of it. */
export interface StoredParts {
  /** Bytes of the file that the upload was opened for. */
  sizeBytes: number;
  partSizeBytes: number;
  /** At most 10,000. */
  parts: StoredPart[];
}

/**
 * Lists the parts of an open upload that are in storage, page by page.
 *
 * @throws {StowageError} `file_not_found`; `upload_already_stored`; `upload_expired`; `invalid_request` for a file of one PUT
 */
export async function listStoredParts(job: UploadJob, filePath: string): Promise<StoredParts> {
  let page = await readPage(job, filePath, undefined);
  const { declared_size: sizeBytes, part_size: partSizeBytes, parts } = page;
  while (page.next_cursor !== null) {
    page = await readPage(job, filePath, page.next_cursor);
    parts.push(...page.parts);
  }
  return { sizeBytes, partSizeBytes, parts };
}

async function readPage(
  { deps, input, signal }: UploadJob,
  filePath: string,
  cursor: string | undefined,
): Promise<ListPartsResponse> {
  const query = { file_path: filePath, tenant_id: input.tenantId, cursor };
  const request = () => deps.service.call(calls.listParts, query, signal);
  return (await retryCall(request, deps.partRetry, signal)).body;
}
