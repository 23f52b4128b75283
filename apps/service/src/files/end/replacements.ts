import { and, asc, eq, inArray, or } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { files, replacements } from "#db/schema/index.js";
import { isFile } from "#files/record/file-conditions.js";

export type Replacement = typeof replacements.$inferSelect;

/** Bytes that a tenant reserves again, because an upload may not use those of the old file any more. */
export type CreditOfTenant = Pick<Replacement, "tenant" | "creditBytes">;

/**
 * Locks the replacements in which the files are the old or the new ones. The transaction has locked these files, and locks their tenants
 * afterwards.
 */
export function lockReplacements(
  tx: Transaction,
  projectId: number,
  fileIds: number[],
): Promise<Replacement[]> {
  return tx
    .select()
    .from(replacements)
    .where(
      and(
        eq(replacements.projectId, projectId),
        or(inArray(replacements.oldFile, fileIds), inArray(replacements.newFile, fileIds)),
      ),
    )
    .orderBy(asc(replacements.oldFile))
    .for("update");
}

/**
 * Whether an upload is to replace the file, which the transaction has locked. An upload that stops to be pending waits for this transaction,
 * or has ended before: its replacement is locked.
 */
export async function isBeingReplaced(
  tx: Transaction,
  { projectId, id }: { projectId: number; id: number },
): Promise<boolean> {
  const replacement = (await lockReplacements(tx, projectId, [id])).find(({ oldFile }) => oldFile === id);
  if (!replacement) return false;
  const [upload] = await tx
    .select({ status: files.status })
    .from(files)
    .where(isFile({ projectId, id: replacement.newFile }));
  return upload?.status === "pending";
}

/**
 * Ends the replacements of files that count and reserve nothing any more. If the old file went, its bytes become part of the upload's
 * reservation, so no other upload is admitted into them. If the upload went, only what it had reserved is returned.
 *
 * @returns what the caller adds to the reserved bytes of the tenants, in the same transaction
 */
export async function endReplacements(
  tx: Transaction,
  projectId: number,
  fileIds: number[],
): Promise<CreditOfTenant[]> {
  const ended = await lockReplacements(tx, projectId, fileIds);
  if (ended.length > 0)
    await tx.delete(replacements).where(
      and(
        eq(replacements.projectId, projectId),
        inArray(
          replacements.oldFile,
          ended.map(({ oldFile }) => oldFile),
        ),
      ),
    );
  return ended;
}

/** {@link endReplacements} of one file. @returns the bytes of all of them, which belong to the file's tenant */
export async function endReplacementsOf(
  tx: Transaction,
  { projectId, id }: { projectId: number; id: number },
): Promise<number> {
  const ended = await endReplacements(tx, projectId, [id]);
  return ended.reduce((sum, { creditBytes }) => sum + creditBytes, 0);
}

/**
 * Lowers what uploads may use of the bytes of files: of an old file that has fewer bytes now, or for an upload that has expired.
 *
 * @param limitOf the most that the upload may use
 * @returns what the caller adds to the reserved bytes of the tenant, in the same transaction
 */
export async function lowerCredit(
  tx: Transaction,
  { projectId, id }: { projectId: number; id: number },
  limitOf: (replacement: Replacement) => number,
): Promise<number> {
  let lowered = 0;
  for (const replacement of await lockReplacements(tx, projectId, [id])) {
    const creditBytes = Math.min(replacement.creditBytes, limitOf(replacement));
    lowered += replacement.creditBytes - creditBytes;
    if (creditBytes < replacement.creditBytes)
      await tx.update(replacements).set({ creditBytes }).where(isReplacement(replacement));
  }
  return lowered;
}

export function isReplacement({ projectId, oldFile }: Pick<Replacement, "projectId" | "oldFile">) {
  return and(eq(replacements.projectId, projectId), eq(replacements.oldFile, oldFile));
}
