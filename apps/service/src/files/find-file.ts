import { StowageError } from "@stowage/schemas";
import { and, eq, ne } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { fileColumns, type FileRecord, toFileRecord } from "./file-record.js";

/**
 * One file of the project; one that is being deleted is none any more. A `tenantId` given beside the path must own it.
 *
 * @throws {StowageError} `file_not_found`, also for another project's or another tenant's file; `unavailable`
 */
export async function findFile(
  deps: { db: Queries },
  project: Project,
  wanted: { filePath: string; tenantId?: string | undefined },
): Promise<FileRecord> {
  const [row] = await deps.db.run((db) =>
    db
      .select(fileColumns)
      .from(files)
      .innerJoin(tenants, and(eq(tenants.projectId, files.projectId), eq(tenants.id, files.tenant)))
      .where(
        and(
          eq(files.projectId, project.id),
          eq(files.path, wanted.filePath),
          ne(files.status, "deleting"),
          wanted.tenantId === undefined ? undefined : eq(tenants.tenantId, wanted.tenantId),
        ),
      ),
  );
  if (!row) throw new StowageError("file_not_found");
  return toFileRecord(row);
}
