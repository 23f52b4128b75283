import { StowageError } from "@stowage/schemas";
import { and, asc, eq, inArray, isNotNull, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { END_OF_FILE } from "#db/schema/conditions.js";
import { files, projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { addMs, DAY_MS } from "#lib/time.js";
import {
  type FileSelection,
  hasCountedStatus,
  isCounted,
  isSelected,
  isTenantOfFile,
} from "#files/record/file-conditions.js";
import { queueMoves } from "#files/record/file-tasks.js";
import { recordDeletes, recordFileEvents } from "#files/record/file-events.js";
import { type FolderChange, updateFolderCounters } from "#tenants/folder-counters.js";
import { noUsageChange, updateUsageCounters, type UsageChange } from "#tenants/usage-counters.js";
import { emitFileEvents, type EventTraceDeps } from "#outbox/emit-events.js";
import { type CreditOfTenant, endReplacements } from "./replacements.js";
import { afterVersions, endVersions } from "./versions.js";

/** Which files to delete, and who deletes them. */
export type DeleteSelection = FileSelection & {
  /** Ignores files whose row has changed since it had this revision. @default any */
  revision?: number | undefined;
  /** Ignores stored files and those in the trash. @default false */
  onlyUnstored?: boolean;
  /** Deletes for good: no file goes to the trash, and those in the trash are deleted too. @default false */
  purge?: boolean | undefined;
  /** Ignores files that are not stored, and refuses to delete the others for good. @default false */
  trashOnly?: boolean | undefined;
  /**
   * Only files whose time is over: stored files that expire until then, and files that leave the trash until then, also those whose
   * object is lost. Files that another call is changing are ignored. @default all
   */
  endingUntil?: Date;
  /**
   * An operator's e-mail address, `customer` or `service`. Null records no history and no event, for files whose whole tenant or
   * project is deleted.
   */
  actor: string | null;
};

/** A file that is to be deleted, with the values that it had before. */
export type DeletingFile = LockedFile & Pick<FileRow, "path" | "filename"> & { tenantId: string };

type FileRow = typeof files.$inferSelect;
type LockedFile = Pick<
  FileRow,
  "id" | "tenant" | "folder" | "status" | "size" | "reservedBytes" | "chain" | "replacedBy"
>;

/** What a delete did with the files. Each one is in one of the lists. */
export interface EndedFiles {
  /** The caller removes their objects. */
  deleting: DeletingFile[];
  trashed: DeletingFile[];
  /** Nothing was changed. */
  onHold: DeletingFile[];
}

/** How long the sweeper leaves the removal of the objects to the caller. */
const CALLER_REMOVES_FOR_MS = 30_000;

/**
 * First half of a delete: moves stored files to the trash of the project, if it has one, and marks the others as `deleting`, which
 * takes them out of usage, reservations, lists and downloads. The caller then removes the objects of those with `removeObjects`. Unknown
 * and already deleted files are ignored, and files on hold are kept.
 *
 * Locks rows in the order of their ids, files before tenants, as a settle does. So concurrent deletes and settles cannot deadlock.
 *
 * @throws {StowageError} `invalid_request` with `trashOnly` in a project without a trash; `unavailable`. Then nothing was deleted
 */
export async function markDeleting(
  deps: EventTraceDeps & { db: Queries; clock: () => Date },
  project: Project,
  selection: DeleteSelection,
): Promise<EndedFiles> {
  return inTransaction(deps.db, async (db, tx) => {
    const locked = await lockFiles(tx, project, selection);
    const onHold = locked.filter(({ held }) => held);
    const ended = await endLocked({ ...deps, db, tx }, project, {
      ...selection,
      files: locked.filter(({ held }) => !held),
    });
    if (selection.purge)
      await endVersions(tx, project.id, { chains: chainsOf(ended.deleting), at: deps.clock() });
    return { ...ended, onHold };
  });
}

/**
 * What {@link markDeleting} does to files that the transaction has locked, in the order of their ids, and of which none is on hold.
 *
 * @throws {StowageError} as {@link markDeleting}
 */
export async function endLocked<File extends LockedFile>(
  { db, tx, ...deps }: EventTraceDeps & { db: Queries; tx: Transaction; clock: () => Date },
  project: Pick<Project, "id">,
  ending: Pick<DeleteSelection, "purge" | "trashOnly" | "actor"> & {
    files: File[];
    /** The path of the file that replaces them. */
    replacedBy?: string;
  },
): Promise<{ deleting: File[]; trashed: File[] }> {
  const { files, purge, trashOnly, actor, replacedBy } = ending;
  const stored = files.filter(({ status }) => status === "stored");
  const trashDays = purge || stored.length === 0 ? 0 : await readTrashDays(tx, project);
  const trashed = trashDays > 0 ? stored : [];
  const ended = files.filter((file) => !trashed.includes(file));
  if (trashOnly && ended.some(({ status }) => status === "stored")) throw noTrash();
  const deleting = trashOnly ? [] : ended;
  const at = deps.clock();
  const change = { project, at, actor, replacedBy };
  await moveToTrash(tx, change, trashed, addMs(at, trashDays * DAY_MS));
  // Strangers must not read them any more.
  await queueMoves(db, project.id, idsOf(trashed), at);
  await markAsDeleting(tx, change, deleting);
  const cause = { projectId: project.id, at, traceparent: deps.traceparent?.() };
  if (actor !== null) await emitFileEvents(tx, "file.deleted", cause, idsOf(stored));
  return { deleting, trashed };
}

/** The chains of files that have versions. A version has none: those before it are versions of its file. */
const chainsOf = (files: LockedFile[]) =>
  files.flatMap(({ chain, replacedBy }) => (chain !== null && replacedBy === null ? [chain] : []));

function noTrash(): StowageError {
  return new StowageError("invalid_request", {
    detail: "The project has no trash, so trash_only cannot delete the file",
  });
}

interface Change {
  project: Pick<Project, "id">;
  at: Date;
  actor: string | null;
  replacedBy: string | undefined;
}

const idsOf = (files: LockedFile[]) => files.map(({ id }) => id);

async function readTrashDays(tx: Transaction, project: Pick<Project, "id">): Promise<number> {
  const [row] = await tx
    .select({ trashDays: projects.trashDays })
    .from(projects)
    .where(eq(projects.id, project.id));
  return row?.trashDays ?? 0;
}

/** The files still count, so no counter changes. */
async function moveToTrash(
  tx: Transaction,
  { project, at, actor, replacedBy }: Change,
  trashed: LockedFile[],
  purgeAt: Date,
): Promise<void> {
  if (trashed.length === 0) return;
  const ids = { projectId: project.id, fileIds: idsOf(trashed) };
  if (actor !== null) await recordFileEvents(tx, ids, { kind: "trashed", at, actor });
  // One file is replaced at a time.
  const chain = trashed[0]!.chain;
  const replacedAt = replacedBy === undefined ? null : await afterVersions(tx, project.id, { chain, at });
  await tx
    .update(files)
    .set({
      status: "trashed",
      purgeAt,
      replacedBy: replacedBy ?? null,
      replacedAt,
      revision: sql`${files.revision} + 1`,
    })
    .where(and(eq(files.projectId, project.id), inArray(files.id, ids.fileIds)));
}

async function markAsDeleting(
  tx: Transaction,
  { project, at, actor }: Change,
  deleting: LockedFile[],
): Promise<void> {
  if (deleting.length === 0) return;
  const fileIds = idsOf(deleting);
  if (actor !== null) await recordDeletes(tx, { projectId: project.id, fileIds }, { at, actor });
  await tx
    .update(files)
    .set({
      status: "deleting",
      purgeAt: null,
      reservedBytes: 0,
      nextCheckAt: addMs(at, CALLER_REMOVES_FOR_MS),
      revision: sql`${files.revision} + 1`,
    })
    .where(and(eq(files.projectId, project.id), inArray(files.id, fileIds)));
  const credits = await endReplacements(tx, project.id, fileIds);
  await subtractFromUsage(tx, project, at, deleting, credits);
}

async function lockFiles(
  tx: Transaction,
  project: Project,
  selection: DeleteSelection,
): Promise<(DeletingFile & { held: boolean })[]> {
  const { purge, onlyUnstored, endingUntil, revision } = selection;
  return tx
    .select({
      id: files.id,
      tenant: files.tenant,
      tenantId: tenants.tenantId,
      path: files.path,
      filename: files.filename,
      folder: files.folder,
      status: files.status,
      size: files.size,
      reservedBytes: files.reservedBytes,
      held: files.held,
      chain: files.chain,
      replacedBy: files.replacedBy,
    })
    .from(files)
    .innerJoin(tenants, isTenantOfFile())
    .where(
      and(
        eq(files.projectId, project.id),
        isSelected(selection),
        ne(files.status, "deleting"),
        purge || endingUntil ? undefined : ne(files.status, "trashed"),
        onlyUnstored ? not(hasCountedStatus) : undefined,
        endingUntil &&
          and(or(hasCountedStatus, isNotNull(files.purgeAt)), lte(endOfFile, endingUntil.toISOString())),
        revision === undefined ? undefined : eq(files.revision, revision),
      ),
    )
    .orderBy(asc(files.id))
    .for("update", { of: files, ...(endingUntil && { skipLocked: true }) });
}

/** A file in the trash ends with its purge, any other file when it expires. */
const endOfFile: SQL = sql.raw(END_OF_FILE);

/** Subtracts the files from the counters of their tenants and of their folders, each in one statement for all. */
async function subtractFromUsage(
  tx: Transaction,
  project: Pick<Project, "id">,
  at: Date,
  deleted: LockedFile[],
  credits: CreditOfTenant[],
): Promise<void> {
  const counted = deleted.filter((file) => isCounted(file.status) || file.reservedBytes > 0);
  const changes = new Map<number, UsageChange>();
  const ofFolders: FolderChange[] = [];
  const changeOf = (tenant: number) => {
    const change = changes.get(tenant) ?? noUsageChange(tenant);
    changes.set(tenant, change);
    return change;
  };
  for (const { tenant, folder, status, size, reservedBytes } of counted) {
    const change = changeOf(tenant);
    change.reservedBytes -= reservedBytes;
    if (!isCounted(status)) continue;
    change.deletedBytes += size ?? 0;
    change.deletedFiles += 1;
    ofFolders.push({ tenant, folder, files: -1, bytes: -(size ?? 0) });
  }
  for (const { tenant, creditBytes } of credits) changeOf(tenant).reservedBytes += creditBytes;
  if (changes.size === 0) return;
  await updateUsageCounters(tx, { projectId: project.id, at }, [...changes.values()]);
  await updateFolderCounters(tx, project.id, ofFolders);
}
