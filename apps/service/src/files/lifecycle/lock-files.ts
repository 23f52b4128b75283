import { and, asc, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { type FileSelection, isSelected, isTenantOfFile } from "#files/record/file-conditions.js";
import type { FoundFile } from "#files/record/find-file.js";

/** A file's row and its tenant's id. */
export type OwnedFile = Pick<FoundFile, "file" | "tenantId">;

/**
 * Locks files until the transaction ends, in the order of their ids, also those in the trash. Unknown files and those that are being
 * deleted are left out.
 */
export async function lockFiles(
  tx: Transaction,
  project: Project,
  selection: FileSelection,
): Promise<OwnedFile[]> {
  return tx
    .select({ file: files, tenantId: tenants.tenantId })
    .from(files)
    .innerJoin(tenants, isTenantOfFile())
    .where(and(eq(files.projectId, project.id), isSelected(selection), ne(files.status, "deleting")))
    .orderBy(asc(files.id))
    .for("update", { of: files });
}
