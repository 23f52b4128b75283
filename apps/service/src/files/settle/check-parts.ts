import { and, eq } from "drizzle-orm";
import { files } from "#db/schema/index.js";
import { isCounted, isFile } from "#files/record/file-conditions.js";
import { applyStorageState } from "./apply-storage-state.js";
import { lastCheckAt, nextCheckAt, pendingExpiresAt } from "#files/record/check-schedule.js";
import {
  readRow,
  recordArrival,
  settleFile,
  type SettleOutcome,
  type SettleUploadDeps,
} from "./settle-upload.js";
import { abortUploads, type AbortUploadsDeps } from "#files/parts/abort-uploads.js";
import { claimAbort } from "#files/parts/claim-upload.js";
import {
  completeParts,
  type CompletePartsDeps,
  type PartsCompletion,
  type PartsStored,
} from "#files/parts/complete-parts.js";
import { forgetUpload, withChange } from "#files/parts/forget-upload.js";

export type CheckPartsDeps = SettleUploadDeps & CompletePartsDeps & AbortUploadsDeps;

type FileRow = typeof files.$inferSelect;

/**
 * The sweeper's check of a file that is uploaded by parts, in place of `settleUpload`:
 *
 * - A pending upload whose parts are all stored is completed, so a page that dies after its last part loses nothing.
 * - When the session of a pending upload has ended, its parts are removed, and then it expires.
 * - After an upload has ended, other multipart uploads of its path are aborted.
 *
 * Storage is asked before anything is locked. A row that changed in between is checked again after its lease.
 *
 * @throws {StowageError} `unavailable`
 */
export async function checkParts(
  deps: CheckPartsDeps,
  projectId: number,
  path: string,
): Promise<SettleOutcome> {
  const file = await readRow(deps, projectId, path);
  if (!file) return "gone";
  if (file.status === "pending") return checkPending(deps, file);
  if (isCounted(file.status)) await abortUploads(deps, path, { except: file.multipart?.uploadId ?? null });
  if (file.status === "expired") await abortUploads(deps, path);
  return settleFile(deps, file);
}

async function checkPending(deps: CheckPartsDeps, file: FileRow): Promise<SettleOutcome> {
  // One more try to complete it would keep it from being aborted for another half a minute, at each check.
  const hasBeenTried = file.multipart?.completingUntil !== undefined;
  if (hasBeenTried && deps.clock() >= lastCheckAt(file.urlExpiresAt)) return expire(deps, file);
  const parts = await completeParts(deps, file);
  if (parts.outcome !== "incomplete" && parts.outcome !== "refused") {
    const outcome = await recordArrival(deps, file);
    if (outcome !== "absent") return outcome;
  }
  return isOver(file, parts, deps.clock()) ? expire(deps, file) : keepOpen(deps, file, parts);
}

/** A completion that storage has not answered may still be running. It gets one more day. */
function isOver({ urlExpiresAt }: FileRow, { outcome }: PartsCompletion, now: Date): boolean {
  return now >= (outcome === "unanswered" ? lastCheckAt(urlExpiresAt) : pendingExpiresAt(urlExpiresAt));
}

/** The reservation is returned only after the parts are gone, so tenants never have more in storage than their quotas. */
async function expire(deps: CheckPartsDeps, seen: FileRow): Promise<SettleOutcome> {
  const file = await claimAbort(deps, seen);
  if (!file) return "absent";
  await abortUploads(deps, seen.path, { known: seen.multipart?.uploadId ?? null });
  const arrived = await recordArrival(deps, file);
  if (arrived !== "absent") return arrived;
  const outcome = await applyStorageState(deps, file, null);
  return outcome === "outdated" ? "absent" : outcome;
}

async function keepOpen(deps: CheckPartsDeps, file: FileRow, parts: PartsCompletion): Promise<"absent"> {
  const { projectId, path, multipart } = file;
  const uploadId = multipart?.uploadId;
  if ("stored" in parts) await recordLook(deps, file, parts);
  else if (uploadId === undefined) await recordLook(deps, file, null);
  else await forgetUpload(deps, projectId, { path, uploadId });
  return "absent";
}

/** Changes no revision, so concurrent settles of this file are not outdated by it. */
async function recordLook(
  deps: CheckPartsDeps,
  file: FileRow,
  parts: { outcome: string; stored: PartsStored } | null,
): Promise<void> {
  const now = deps.clock();
  const nextAt = nextCheckAt(file, now);
  // Nothing can change until the end of the session, and then the parts are removed.
  const isFinal = parts?.outcome === "refused" && now < pendingExpiresAt(file.urlExpiresAt);
  await deps.db.run((db) =>
    db
      .update(files)
      .set({
        nextCheckAt: isFinal ? pendingExpiresAt(file.urlExpiresAt) : nextAt,
        ...(parts && {
          multipart: withChange({ partsStored: parts.stored.count, bytesStored: parts.stored.bytes }),
        }),
      })
      .where(and(isFile(file), eq(files.revision, file.revision))),
  );
}
