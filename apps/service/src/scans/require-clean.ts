import { StowageError } from "@stowage/schemas";
import type { files } from "#db/schema/index.js";
import { lastCheckAt } from "#files/record/check-schedule.js";
import { readRow, recordArrival, type SettleUploadDeps } from "#files/settle/settle-upload.js";
import { queueForScan } from "./queue-for-scan.js";
import type { ScanPolicy } from "#projects/scan-policy.js";

type FileRow = typeof files.$inferSelect;

/**
 * Makes sure that the bytes of a stored file, or of a version in the trash, may be handed out: every way to them calls this first. An infected file stays in
 * quarantine even if its project has stopped scanning.
 *
 * A verdict counts only for the bytes that were scanned. While a PUT to the file's URL can still replace them, storage is asked for the
 * ETag of the object with one HEAD request. So this fails if storage does not answer.
 *
 * @throws {StowageError} `file_not_scanned`, `file_quarantined`, `unavailable`; `file_not_found` if storage has lost the object
 */
export async function requireClean(deps: SettleUploadDeps, policy: ScanPolicy, file: FileRow): Promise<void> {
  if (policy.scan === "clamav" && mayBeForgotten(file)) await queueForScan(deps, file);
  requireCleanRow(policy, file);
  if (policy.scan === "off" || !canBeReplaced(file, deps.clock())) return;
  // If the object has another ETag, this records it, and the file waits for another scan.
  const outcome = await recordArrival(deps, file);
  const current = outcome === "stored" ? await readRow(deps, file.projectId, file.path) : undefined;
  if (current?.status !== file.status) throw new StowageError("file_not_found");
  requireCleanRow(policy, current);
}

/** Whether it may be that no worker would scan the file: its project has just started to scan, or changed who scans while it was stored. */
function mayBeForgotten({ scanStatus }: FileRow): boolean {
  return scanStatus === "none" || scanStatus === "pending";
}

/** The same by what is recorded, for a row that was just read. */
function requireCleanRow(policy: ScanPolicy, file: FileRow): void {
  if (file.scanStatus === "infected") throw new StowageError("file_quarantined");
  if (policy.scan === "off") return;
  // Storage that sends no ETag cannot tell other bytes from the scanned ones.
  const wasScanned = Boolean(file.scannedEtag) && file.scannedEtag === file.etag;
  if (!wasScanned) throw new StowageError("file_not_scanned");
  switch (file.scanStatus) {
    case "none":
    case "pending":
      throw new StowageError("file_not_scanned");
    case "unscannable":
      if (!policy.allowUnscannable) throw new StowageError("file_quarantined");
      return;
    case "clean":
  }
}

/** Until no PUT to the file's URL can be running any more. Only the service itself joins the parts of an upload by parts. */
function canBeReplaced({ partSize, urlExpiresAt }: FileRow, now: Date): boolean {
  return partSize === null && now < lastCheckAt(urlExpiresAt);
}
