import { fileStatusTraits } from "@stowage/operator-schemas";
import type { FileStatus } from "@stowage/schemas";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { files, tenants } from "#db/schema/index.js";
import { COUNTED } from "#db/schema/file-statuses.js";

/* Conditions that several statements over `files` share. */

type FileRow = typeof files.$inferSelect;

export function isFileAt(projectId: number, path: string): SQL | undefined {
  return and(eq(files.projectId, projectId), eq(files.path, path));
}

export function isFile({ projectId, id }: Pick<FileRow, "projectId" | "id">): SQL | undefined {
  return and(eq(files.projectId, projectId), eq(files.id, id));
}

/** Joins `files` with its tenant. */
export function isTenantOfFile(): SQL | undefined {
  return and(eq(tenants.projectId, files.projectId), eq(tenants.id, files.tenant));
}

/** Files of one project, by their paths or ids. If there is a tenant, it must own the files. */
export type FileSelection = { paths: string[]; tenantId: string | undefined } | { fileIds: number[] };

/** The condition of a selection, for a statement that joins the files with their tenants. */
export function isSelected(selection: FileSelection): SQL | undefined {
  if ("fileIds" in selection) return inArray(files.id, selection.fileIds);
  const { paths, tenantId } = selection;
  return and(inArray(files.path, paths), tenantId === undefined ? undefined : eq(tenants.tenantId, tenantId));
}

/** Whether a folder is another one or below it, as a range. Every folder is below the root. "0" is the character after "/". */
export function isInOrBelow(folder: SQL, above: string): SQL | undefined {
  if (above === "") return undefined;
  return sql`(${folder} = ${above} or ${folder} >= ${`${above}/`} and ${folder} < ${`${above}0`})`;
}

/**
 * Whether a file that is found by its path or id has this status. No index covers a condition in this form. Otherwise PostgreSQL
 * uses the index by status whenever it expects few rows with it, and then walks over a million waiting files for each file.
 */
export function hasStatus(status: FileStatus): SQL {
  return sql`(${files.status} = ${status}) is true`;
}

/** Whether the file's bytes are in storage and count: those in the trash count until they are purged. */
export function isCounted(status: FileStatus): boolean {
  return fileStatusTraits[status].counts;
}

/** {@link isCounted} in a statement that finds files by their path, id or tenant. No index covers it, as {@link hasStatus}. */
export const hasCountedStatus: SQL = sql`(${files.status} in ${sql.raw(COUNTED)}) is true`;
