import { createHash } from "node:crypto";
import type { ListFoldersQuery } from "@stowage/schemas";
import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { folders } from "#db/schema/index.js";
import { selectTenantId } from "./file-filter.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import type { Project } from "#projects/find-project.js";

export interface FoldersPage {
  folders: { folder: string; fileCount: number; usedBytes: number }[];
  nextCursor: string | null;
}

/**
 * One page of the folders directly in a folder of a tenant, by the bytes of their names, with what counts in them and below. A page starts
 * after a name, so page 1,000 costs as much as page 1.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listFolders(
  deps: { db: Queries },
  project: Project,
  { tenantId, parent, limit, cursor }: ListFoldersQuery,
): Promise<FoldersPage> {
  const list = `folders ${createHash("sha256").update(parent).digest("base64url")}`;
  const [after] = cursor === undefined ? [] : readCursor(list, ["string"], cursor, OTHER_FOLDER);
  const rows = await deps.db.run((db) =>
    db
      .select({ name: folders.name, fileCount: folders.fileCount, usedBytes: folders.usedBytes })
      .from(folders)
      .where(
        and(
          eq(folders.projectId, project.id),
          eq(folders.tenant, selectTenantId(project.id, tenantId)),
          sql`${folders.parent} = sha256(convert_to(${parent}, 'UTF8'))`,
          after === undefined ? undefined : gt(folders.name, after),
        ),
      )
      .orderBy(asc(folders.name))
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    folders: page.map(({ name, ...counters }) => ({
      folder: parent === "" ? name : `${parent}/${name}`,
      ...counters,
    })),
    nextCursor: rows.length > limit && last ? writeCursor(list, [last.name]) : null,
  };
}

const OTHER_FOLDER = "cursor belongs to the list of another folder: request the first page again";
