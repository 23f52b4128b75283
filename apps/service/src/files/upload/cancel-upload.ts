import { setTimeout as sleep } from "node:timers/promises";
import { type CancelRequest, StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { IS_BY_PARTS } from "#db/schema/conditions.js";
import type { files } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { type DeletingFile, markDeleting } from "#files/end/mark-deleting.js";
import { checkTombstone } from "#files/delete/check-tombstone.js";
import { removeObject, type RemoveObjectDeps, removeObjects } from "#files/delete/remove-objects.js";
import { isCounted } from "#files/record/file-conditions.js";
import { findFileRow } from "#files/record/find-file.js";
import { lastCheckAt } from "#files/record/check-schedule.js";
import { abortUploads } from "#files/parts/abort-uploads.js";
import { claimAbort } from "#files/parts/claim-upload.js";
import { recordArrival, settleFile, type SettleUploadDeps } from "#files/settle/settle-upload.js";

export type CancelUploadDeps = SettleUploadDeps & RemoveObjectDeps;

export interface CancelledUpload {
  filePath: string;
  cancelled: true;
}

/**
 * Ends an upload that is not stored. Its reservation is returned before this resolves. Bytes that arrive later are removed and
 * never counted, because a cancelled upload is deleted like a file: a tombstone keeps its path empty. Safe to repeat.
 *
 * Storage is asked first, so that a PUT that has finished is recorded and not thrown away. Every competing change (a settle, a
 * delete, another cancel) locks the file's row, so exactly one of them takes effect.
 *
 * @throws {StowageError} `file_not_found`; `upload_already_stored` or `file_on_hold`, and then the file is kept;
 * `unavailable`
 */
export async function cancelUpload(
  deps: CancelUploadDeps,
  project: Project,
  input: CancelRequest,
): Promise<CancelledUpload> {
  const { filePath } = input;
  await untilEnded(async () => {
    const found = await findUpload(deps, project, input);
    if (!("hadParts" in found)) return endUpload(deps, project, found, keepOrMark(deps, project));
    if (found.hadParts) await removeLeftParts(deps, project, filePath);
    return true;
  });
  return { filePath, cancelled: true };
}

/** The pauses double, so all of them together take three quarters of a second. */
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 50;

/**
 * Repeats an attempt to end an upload while other calls change the upload. A stored or deleted file is final, so this repeats once
 * after that. Only uploads by parts can need more: another call may sign the first parts, or wait for storage to complete them.
 *
 * @param attempt returns false if another call has changed the upload since it was read
 * @throws {StowageError} `unavailable` after too many attempts
 */
export async function untilEnded(attempt: () => Promise<boolean>): Promise<void> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    if (attempts > 0) await sleep(FIRST_PAUSE_MS * 2 ** (attempts - 1));
    if (await attempt()) return;
  }
  throw new StowageError("unavailable", {
    retryAfterSeconds: 1,
    cause: new Error("other calls change the upload"),
  });
}

/**
 * Removes the parts of an upload that another call has ended. A delete returns the reservation first, and may die or still be running before
 * it has removed the parts.
 */
async function removeLeftParts(deps: CancelUploadDeps, project: Project, path: string): Promise<void> {
  await removeObject(deps, project.id, path);
  await checkTombstone(deps, project.id, path);
}

/** An upload that has ended without being stored. */
interface EndedUpload {
  hadParts: boolean;
}

async function findUpload(
  deps: { db: Queries },
  project: Project,
  input: CancelRequest,
): Promise<FileRow | EndedUpload> {
  try {
    return await findFileRow(deps, project, input);
  } catch (error) {
    const isMissing = error instanceof StowageError && error.code === "file_not_found";
    const ended = isMissing ? await findEnded(deps, project, input) : undefined;
    if (ended) return ended;
    throw error;
  }
}

type FileRow = typeof files.$inferSelect;

/*
 * A cancelled upload is first a row that is being deleted, and then a tombstone. One transaction replaces the row by the
 * tombstone, so a single statement always finds one of them.
 */
const FIND_ENDED = `
select had_parts as "hadParts" from (
  select project_id, tenant, ${IS_BY_PARTS} as had_parts from files
  where project_id = $1 and path = $2 and status::text = 'deleting' and stored_at is null
  union all
  select project_id, cancelled_tenant, had_parts from tombstones where project_id = $1 and path = $2
) ended
join tenants on tenants.project_id = ended.project_id and tenants.id = ended.tenant
where tenants.project_id = $1 and ($3::text is null or tenants.tenant_id = $3)`;

/** Finds an upload that was cancelled or deleted before it was stored. It is known until no PUT to its URL can still be running. */
async function findEnded(
  deps: { db: Queries },
  project: Project,
  { filePath, tenantId }: CancelRequest,
): Promise<EndedUpload | undefined> {
  const [ended] = await deps.db.execute<EndedUpload>(FIND_ENDED, [project.id, filePath, tenantId ?? null]);
  return ended;
}

/** Marks an upload whose bytes are not in storage. `changed` if another call has changed it since it was read. */
export type MarkUpload = (file: FileRow) => Promise<"marked" | "kept" | "changed">;

/** An upload that has expired, and whose last PUT cannot be running any more, keeps its row: it stays in the lists. */
function keepOrMark(deps: CancelUploadDeps, project: Project): MarkUpload {
  return async (file) => {
    // A single PUT has just expired if it was still pending. The sweeper alone expires uploads by parts.
    const hasExpired = file.status === "expired" || file.partSize === null;
    if (hasExpired && deps.clock() >= lastCheckAt(file.urlExpiresAt)) return "kept";
    const marked = await markUnstored(deps, project, file, "customer");
    return marked.length > 0 ? "marked" : "changed";
  };
}

/**
 * Marks an upload that storage has nothing of. An upload by parts must not have changed since it was read: its parts were removed
 * then, and a call that signs the first parts creates a new multipart upload.
 *
 * @param actor an operator's e-mail address, or `customer`
 */
export async function markUnstored(
  deps: Pick<CancelUploadDeps, "db" | "clock">,
  project: Project,
  { id, partSize, revision }: FileRow,
  actor: string,
): Promise<DeletingFile[]> {
  const unchanged = partSize === null ? {} : { revision };
  const { deleting } = await markDeleting(deps, project, {
    fileIds: [id],
    onlyUnstored: true,
    ...unchanged,
    actor,
  });
  return deleting;
}

/**
 * Ends an upload unless its bytes have arrived: storage is asked, `mark` takes the upload out of the reservations, and an object
 * that arrived meanwhile is removed. The parts of an upload by parts are removed first, so their bytes stay reserved until then.
 *
 * @returns false if another call has changed the upload since it was read, or is completing it
 * @throws {StowageError} `upload_already_stored`, `file_on_hold`, `unavailable`
 */
export async function endUpload(
  deps: CancelUploadDeps,
  project: Project,
  seen: FileRow,
  mark: MarkUpload,
): Promise<boolean> {
  if (isCounted(seen.status)) throw new StowageError("upload_already_stored");
  // A file on hold keeps its row, also if its bytes never arrived, or if storage lost them.
  if (seen.held) throw new StowageError("file_on_hold");
  const file = seen.partSize === null ? seen : await removeParts(deps, seen);
  if (!file) return false;
  const outcome = await settleFile(deps, file);
  switch (outcome) {
    case "stored":
      throw new StowageError("upload_already_stored");
    case "gone":
      return false;
    case "removing":
      break;
    case "absent": {
      const marked = await mark(file);
      if (marked !== "marked") return marked === "kept";
    }
  }
  await removeObjects(deps, project, [file.path]);
  return true;
}

/** @returns the row without its multipart upload; null if another call has changed or is completing the upload */
async function removeParts(deps: CancelUploadDeps, seen: FileRow): Promise<FileRow | null> {
  // An object that exists already must not lose its bytes: see abort-uploads.ts.
  if ((await recordArrival(deps, seen)) !== "absent") return null;
  const file = await claimAbort(deps, seen);
  if (file) await abortUploads(deps, seen.path, { known: seen.multipart?.uploadId ?? null });
  return file;
}
