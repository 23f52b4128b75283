import { type ScanResultRequest, StowageError } from "@stowage/schemas";
import type { FileRecord } from "#files/record/file-record.js";
import { findFile, findFileAndTenant } from "#files/record/find-file.js";
import { findArrivedFile, type FindArrivedFileDeps } from "#files/settle/find-arrived-file.js";
import { recordArrival } from "#files/settle/settle-upload.js";
import type { Project } from "#projects/find-project.js";
import { recordVerdict } from "./record-verdict.js";

/**
 * Takes the verdict of the customer's own scanner. Storage may have told that scanner about the object before it told the service, so
 * a file or an ETag that is not recorded yet is looked for in storage first.
 *
 * @throws {StowageError} `invalid_request` if the project does not scan with a scanner of its own; `file_not_found`; `scan_outdated`
 * if the file has other bytes than the scanned ones; `unavailable`
 */
export async function reportScan(
  deps: FindArrivedFileDeps,
  project: Project,
  input: ScanResultRequest,
): Promise<FileRecord> {
  const found = await findArrivedFile(deps, project, input, { ifStorageIsDown: "throw" });
  if (found.scanPolicy.scan !== "external") {
    throw new StowageError("invalid_request", { detail: "The project's setting scan is not external" });
  }
  if (found.file.status !== "stored") throw new StowageError("file_not_found");
  let { etag } = found.file;
  if (input.etag !== undefined && input.etag !== etag) {
    await recordArrival(deps.settling, found.file);
    ({ etag } = (await findFileAndTenant(deps, project, input)).file);
  }
  const isCurrent = etag !== null && (input.etag === undefined || input.etag === etag);
  const report = { etag: etag ?? "", verdict: input.verdict, signature: input.signature ?? null };
  if (!isCurrent || !(await recordVerdict(deps.settling, found.file, report))) {
    throw new StowageError("scan_outdated");
  }
  return findFile(deps, project, input);
}
