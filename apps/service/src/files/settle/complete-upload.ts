import { type CompleteRequest, StowageError } from "@stowage/schemas";
import type { files } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import type { FileRecord } from "#files/record/file-record.js";
import { findFile, findFileRow } from "#files/record/find-file.js";
import { completeParts, type CompletePartsDeps, type PartsCompletion } from "#files/parts/complete-parts.js";
import { forgetUpload } from "#files/parts/forget-upload.js";
import { partSizesOf } from "#files/parts/upload-of-parts.js";
import { settleFile, type SettleUploadDeps } from "./settle-upload.js";

export type CompleteUploadDeps = SettleUploadDeps & CompletePartsDeps;

/** More than one attempt is needed only if another call ends the same upload by parts at the same time. */
const MAX_ATTEMPTS = 3;

/**
 * Completes an upload, and says why if the service has removed it before: a storage event or the sweeper may have found bytes that do not
 * fit the quota.
 *
 * @throws {StowageError} what {@link complete} throws
 */
export async function completeUpload(
  deps: CompleteUploadDeps,
  project: Project,
  input: CompleteRequest,
): Promise<FileRecord> {
  try {
    return await complete(deps, project, input);
  } catch (error) {
    const isMissing = error instanceof StowageError && error.code === "file_not_found";
    throw isMissing && (await wasOverQuota(deps, project, input))
      ? new StowageError("quota_exceeded")
      : error;
  }
}

/**
 * Handles the customer's message that the bytes have been uploaded. The service does not trust the message: it checks storage and
 * records what it finds. The parts of an upload by parts become one object first. Safe to repeat.
 *
 * @throws {StowageError} `file_not_found`; `upload_not_found` while storage has no object; `quota_exceeded` if the bytes do not fit the
 * quota, and are removed; `unavailable`. For an upload by parts `upload_incomplete` and
 * `upload_expired` instead of `upload_not_found`, and `invalid_request` if storage refuses to make an object of the parts
 */
async function complete(
  deps: CompleteUploadDeps,
  project: Project,
  input: CompleteRequest,
): Promise<FileRecord> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const file = await findFileRow(deps, project, input);
    const isOpen = file.partSize !== null && file.status === "pending";
    const parts = isOpen ? await completeParts(deps, file) : null;
    const outcome = await settleFile(deps, file);
    if (outcome === "removing") throw new StowageError("quota_exceeded");
    if (outcome !== "absent") return findFile(deps, project, input);
    if (file.partSize === null) throw new StowageError("upload_not_found");
    if (!parts) throw new StowageError("upload_expired");
    if (!(await wasEndedMeanwhile(deps, file, parts))) throw toError(file, parts, deps.clock());
  }
  throw new StowageError("unavailable", {
    retryAfterSeconds: 1,
    cause: new Error("other calls changed the upload too often"),
  });
}

/** One transaction replaces the row by the tombstone, so a single statement always finds one of them. */
const FIND_OVER_QUOTA = `
select from (
  select project_id, tenant from files where project_id = $1 and path = $2 and status::text = 'deleting' and is_over_quota
  union all
  select project_id, cancelled_tenant from tombstones where project_id = $1 and path = $2 and is_over_quota
) refused
join tenants on tenants.project_id = refused.project_id and tenants.id = refused.tenant
where tenants.project_id = $1 and ($3::text is null or tenants.tenant_id = $3)`;

async function wasOverQuota(
  { db }: CompleteUploadDeps,
  project: Project,
  { filePath, tenantId }: CompleteRequest,
): Promise<boolean> {
  const refused = await db.execute(FIND_OVER_QUOTA, [project.id, filePath, tenantId ?? null]);
  return refused.length > 0;
}

type FileRow = typeof files.$inferSelect;

/**
 * Neither the upload nor its object is in storage: another call has cancelled or deleted the file, or storage lost the upload. In
 * the second case the next signed part starts a new one.
 */
async function wasEndedMeanwhile(
  deps: CompleteUploadDeps,
  { projectId, path, multipart }: FileRow,
  parts: PartsCompletion,
): Promise<boolean> {
  const isGone = parts.outcome === "unknown" || parts.outcome === "completed";
  const uploadId = multipart?.uploadId;
  return isGone && uploadId !== undefined && !(await forgetUpload(deps, projectId, { path, uploadId }));
}

function toError(file: FileRow, parts: PartsCompletion, now: Date): unknown {
  switch (parts.outcome) {
    case "unanswered":
      return parts.error;
    case "refused":
      return new StowageError("invalid_request", { detail: "Storage cannot make one file of these parts" });
    case "completed":
    case "unknown":
    case "incomplete": {
      if (file.urlExpiresAt <= now) return new StowageError("upload_expired");
      const stored = parts.outcome === "incomplete" ? parts.stored.count : 0;
      return new StowageError("upload_incomplete", {
        detail: `Upload is incomplete: ${stored} of ${partSizesOf(file)?.partCount} parts are stored`,
      });
    }
  }
}
