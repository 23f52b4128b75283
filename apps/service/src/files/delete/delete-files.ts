import { type DeleteRequest, StowageError } from "@stowage/schemas";
import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Queries, Transaction } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { addMs } from "#lib/time.js";
import { isTenantOfFile } from "#files/file-conditions.js";
import { recordDeletes } from "#files/file-events.js";
import { noUsageChange, updateUsageCounters, type UsageChange } from "#files/usage-counters.js";
import type { SettleUploadDeps } from "#files/settle/settle-upload.js";
import { emitFileEvents } from "#webhooks/emit-events.js";
import { recordBeforeDelete } from "./record-before-delete.js";
import { type RemoveObjectDeps, removeObjects } from "./remove-objects.js";

export type DeleteFilesDeps = RemoveObjectDeps & SettleUploadDeps;

export interface DeletedFiles {
  deleted: string[];
  notFound: string[];
}

/**
 * Deletes files at the customer's request, regardless of their status. Pending files whose bytes have arrived are recorded first.
 * The delete takes effect with its one transaction: usage falls, reservations are returned, downloads stop. The objects are removed
 * right after.
 *
 * @throws {StowageError} `file_not_found` for a single unknown path; `unavailable`, and then nothing was deleted
 */
export async function deleteFiles(
  deps: DeleteFilesDeps,
  project: Project,
  input: DeleteRequest,
): Promise<DeletedFiles> {
  const { paths, tenantId, mustExist } = input;
  const removing = await recordBeforeDelete(deps, project, { paths, tenantId });
  const marked = await markDeleting(deps, project, { paths, tenantId, actor: "customer" });
  const known = new Set([...removing, ...marked.map((file) => file.path)]);
  if (mustExist && known.size === 0) throw new StowageError("file_not_found");
  const deleted = paths.filter((path) => known.has(path));
  await removeObjects(deps, project, deleted);
  return { deleted, notFound: paths.filter((path) => !known.has(path)) };
}

/** Which files to delete, and who deletes them. */
export type DeleteSelection = ({ paths: string[]; tenantId: string | undefined } | { fileIds: number[] }) & {
  /** Ignores files whose row has changed since it had this revision. @default any */
  revision?: number | undefined;
  /** Ignores stored files. @default false */
  onlyUnstored?: boolean;
  /** An operator's e-mail address, or `customer`. Null records no history and no event, for files whose whole project is deleted. */
  actor: string | null;
};

/** A file that was just marked as `deleting`, with the values that it had before. */
export type DeletingFile = Pick<
  typeof files.$inferSelect,
  "id" | "tenant" | "path" | "filename" | "status" | "size" | "reservedBytes"
> & { tenantId: string };

/** How long the sweeper leaves the removal of the objects to the caller. */
const CALLER_REMOVES_FOR_MS = 30_000;

/**
 * First half of a delete: marks files as `deleting`, which takes them out of usage, reservations, lists and downloads. The caller
 * then removes their objects with {@link removeObjects}. Unknown and already deleted files are ignored.
 *
 * Locks rows in the order of their ids, files before tenants, as a settle does. So concurrent deletes and settles cannot deadlock.
 *
 * @throws {StowageError} `unavailable`, and then nothing was deleted
 */
export async function markDeleting(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  selection: DeleteSelection,
): Promise<DeletingFile[]> {
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const locked = await lockFiles(tx, project, selection);
      if (locked.length === 0) return [];
      const now = deps.clock();
      const fileIds = locked.map((file) => file.id);
      if (selection.actor !== null)
        await recordDeletes(tx, { projectId: project.id, fileIds }, { at: now, actor: selection.actor });
      await tx
        .update(files)
        .set({
          status: "deleting",
          reservedBytes: 0,
          nextCheckAt: addMs(now, CALLER_REMOVES_FOR_MS),
          revision: sql`${files.revision} + 1`,
        })
        .where(and(eq(files.projectId, project.id), inArray(files.id, fileIds)));
      await subtractFromUsage(tx, project, now, locked);
      const stored = locked.filter((file) => file.status === "stored").map((file) => file.id);
      if (selection.actor !== null)
        await emitFileEvents(tx, "file.deleted", { projectId: project.id, at: now }, stored);
      return locked;
    }),
  );
}

async function lockFiles(
  tx: Transaction,
  project: Project,
  selection: DeleteSelection,
): Promise<DeletingFile[]> {
  const isSelected =
    "fileIds" in selection
      ? inArray(files.id, selection.fileIds)
      : and(
          inArray(files.path, selection.paths),
          selection.tenantId === undefined ? undefined : eq(tenants.tenantId, selection.tenantId),
        );
  return tx
    .select({
      id: files.id,
      tenant: files.tenant,
      tenantId: tenants.tenantId,
      path: files.path,
      filename: files.filename,
      status: files.status,
      size: files.size,
      reservedBytes: files.reservedBytes,
    })
    .from(files)
    .innerJoin(tenants, isTenantOfFile())
    .where(
      and(
        eq(files.projectId, project.id),
        isSelected,
        ne(files.status, "deleting"),
        selection.onlyUnstored ? ne(files.status, "stored") : undefined,
        selection.revision === undefined ? undefined : eq(files.revision, selection.revision),
      ),
    )
    .orderBy(asc(files.id))
    .for("update", { of: files });
}

/** Subtracts the files from their tenants' counters, in one statement for all tenants. */
async function subtractFromUsage(
  tx: Transaction,
  project: Project,
  at: Date,
  deleted: DeletingFile[],
): Promise<void> {
  const counted = deleted.filter((file) => file.status === "stored" || file.reservedBytes > 0);
  if (counted.length === 0) return;
  const changes = new Map<number, UsageChange>();
  for (const { tenant, status, size, reservedBytes } of counted) {
    const change = changes.get(tenant) ?? noUsageChange(tenant);
    changes.set(tenant, change);
    change.reservedBytes -= reservedBytes;
    if (status !== "stored") continue;
    change.deletedBytes += size ?? 0;
    change.deletedFiles += 1;
  }
  await updateUsageCounters(tx, { projectId: project.id, at }, [...changes.values()]);
}
