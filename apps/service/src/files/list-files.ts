import { type ListFilesQuery, StowageError } from "@stowage/schemas";
import { and, desc, eq, lt } from "drizzle-orm";
import type { Database } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { fileColumns, type FileRecord, toFileRecord } from "./file-record.js";

export interface FilesPage {
  files: FileRecord[];
  nextCursor: string | null;
}

/**
 * A page of the project's files, newest first. Pages go by key, not by offset: a file added meanwhile moves nothing, and
 * page 10,000 costs what page 1 does.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this service did not make; `unavailable`
 */
export async function listFiles(
  deps: { db: Database },
  project: Project,
  query: ListFilesQuery,
): Promise<FilesPage> {
  const beforeId = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const rows = await deps.db.run((db) =>
    db
      .select({ id: files.id, ...fileColumns })
      .from(files)
      .innerJoin(tenants, and(eq(tenants.projectId, files.projectId), eq(tenants.id, files.tenant)))
      .where(
        and(
          eq(files.projectId, project.id),
          query.tenantId === undefined ? undefined : eq(tenants.tenantId, query.tenantId),
          query.status === undefined ? undefined : eq(files.status, query.status),
          beforeId === undefined ? undefined : lt(files.id, beforeId),
        ),
      )
      .orderBy(desc(files.id))
      .limit(query.limit + 1),
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    files: page.map(({ id: _, ...row }) => toFileRecord(row)),
    nextCursor: rows.length > query.limit && last ? writeCursor(last.id) : null,
  };
}

function writeCursor(id: number): string {
  return Buffer.from(`f${id}`).toString("base64url");
}

function readCursor(cursor: string): number {
  const id = Number(/^f(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"))?.[1] ?? NaN);
  if (!Number.isSafeInteger(id)) throw new StowageError("invalid_request", { detail: "cursor is not valid" });
  return id;
}
