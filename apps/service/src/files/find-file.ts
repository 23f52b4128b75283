import { StowageError } from "@stowage/schemas";
import { and, eq, ne } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { fileColumns, type FileRecord, toFileRecord } from "./file-record.js";

interface Wanted {
  filePath: string;
  tenantId?: string | undefined;
}

/**
 * One file of the project; one that is being deleted is none any more. A `tenantId` given beside the path must own it.
 *
 * @throws {StowageError} `file_not_found`, also for another project's or another tenant's file; `unavailable`
 */
export async function findFile(deps: { db: Queries }, project: Project, wanted: Wanted): Promise<FileRecord> {
  const [row] = await deps.db.run((db) =>
    db.select(fileColumns).from(files).innerJoin(tenants, isItsTenant).where(isWanted(project, wanted)),
  );
  if (!row) throw new StowageError("file_not_found");
  return toFileRecord(row);
}

/** The same file as its whole row, which is what a settle has to have seen. @throws as {@link findFile} does */
export async function findFileRow(
  deps: { db: Queries },
  project: Project,
  wanted: Wanted,
): Promise<typeof files.$inferSelect> {
  const [row] = await deps.db.run((db) =>
    db.select({ file: files }).from(files).innerJoin(tenants, isItsTenant).where(isWanted(project, wanted)),
  );
  if (!row) throw new StowageError("file_not_found");
  return row.file;
}

const isItsTenant = and(eq(tenants.projectId, files.projectId), eq(tenants.id, files.tenant));

function isWanted(project: Project, { filePath, tenantId }: Wanted) {
  return and(
    eq(files.projectId, project.id),
    eq(files.path, filePath),
    ne(files.status, "deleting"),
    tenantId === undefined ? undefined : eq(tenants.tenantId, tenantId),
  );
}
