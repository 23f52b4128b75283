import { and, asc, eq, inArray } from "drizzle-orm";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { files, replacements } from "#db/schema/index.js";
import { endLocked } from "./mark-deleting.js";
import { isFile, isFileAt } from "#files/record/file-conditions.js";
import type { EventTraceDeps } from "#outbox/emit-events.js";
import { isReplacement, lockReplacements, type Replacement } from "./replacements.js";
import { keepVersion } from "./versions.js";

type FileRow = typeof files.$inferSelect;

export interface LockedUpload {
  file: FileRow | undefined;
  /** Undefined for an upload that replaces nothing, or nothing any more. */
  replacement?: LockedReplacement | undefined;
}

interface LockedReplacement {
  row: Replacement;
  old: FileRow | undefined;
}

/** Locks an upload, and before it the file that it replaces: files are locked in the order of their ids. */
export async function lockUpload(tx: Transaction, seen: FileRow): Promise<LockedUpload> {
  const { projectId, id } = seen;
  const [planned] = seen.isReplacement
    ? await tx
        .select()
        .from(replacements)
        .where(and(eq(replacements.projectId, projectId), eq(replacements.newFile, id)))
    : [];
  if (!planned) {
    const [file] = await tx.select().from(files).where(isFileAt(projectId, seen.path)).for("update");
    return { file };
  }
  const rows = await tx
    .select()
    .from(files)
    .where(and(eq(files.projectId, projectId), inArray(files.id, [planned.oldFile, id])))
    .orderBy(asc(files.id))
    .for("update");
  const file = rows.find((row) => row.id === id);
  const row = (await lockReplacements(tx, projectId, [id])).find(({ newFile }) => newFile === id);
  return { file, replacement: row && { row, old: rows.find((old) => old.id === row.oldFile) } };
}

/** Whether the old file can be deleted now: it is stored and not on hold. */
export function canReplace(
  replacement: LockedReplacement,
): replacement is LockedReplacement & { old: FileRow } {
  return replacement.old?.status === "stored" && !replacement.old.held;
}

/**
 * Ends the replacement of an old file that stays. From now on the upload reserves what the tenant has reserved for it: it has to fit that
 * and the free quota.
 *
 * @returns the row of the upload
 */
export async function keepOldFile(
  tx: Transaction,
  file: FileRow,
  { row }: LockedReplacement,
): Promise<FileRow> {
  const reservedBytes = Math.max(0, file.reservedBytes - row.creditBytes);
  await tx.delete(replacements).where(isReplacement(row));
  if (row.creditBytes > 0) await tx.update(files).set({ reservedBytes }).where(isFile(file));
  return { ...file, reservedBytes };
}

/**
 * Stores an upload and deletes the file that it replaces, so that both take effect or neither: the bytes of the old file make room for the
 * new ones.
 *
 * @param store marks the upload as stored; returns false if its bytes do not fit the quota
 * @returns the result of `store`
 * @throws any error of `store`; {@link StowageError} `unavailable`
 */
export async function replaceOldFile(
  deps: EventTraceDeps & { db: Queries; clock: () => Date },
  file: FileRow,
  { row, old }: LockedReplacement & { old: FileRow },
  store: (db: Queries) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await inTransaction(deps.db, async (db, tx) => {
      const { deleting, trashed } = await endLocked(
        { ...deps, db, tx },
        { id: file.projectId },
        {
          files: [old],
          purge: !row.trashesOld,
          actor: "customer",
          replacedBy: file.path,
        },
      );
      await tx.delete(replacements).where(isReplacement(row));
      // No call waits for the removal of the object, so the sweeper removes it now.
      for (const ended of deleting)
        await tx.update(files).set({ nextCheckAt: deps.clock() }).where(isFile(ended));
      if (!(await store(db))) throw new DoesNotFitError();
      await keepVersion(tx, { old, file, isTrashed: trashed.length > 0, at: deps.clock() });
      return true;
    });
  } catch (error) {
    if (error instanceof DoesNotFitError) return false;
    throw error;
  }
}

/** Undoes the end of the old file. */
class DoesNotFitError extends Error {
  override readonly name = "DoesNotFitError";
}
