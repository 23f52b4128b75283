import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { columnsOf, rowReader } from "#db/row-text.js";
import { files } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { type FileRecord, toFileRecord } from "./file-record.js";

interface Wanted {
  filePath: string;
  tenantId?: string | undefined;
}

interface Found {
  file: typeof files.$inferSelect;
  tenantId: string;
}

/*
 * In text, and so prepared: every completion, download and look at one file begins with it. The first at or after the path, and the
 * first tenant at or after the id: only the right index has them in this order. Asked for what is equal, PostgreSQL takes any
 * index that begins with the project as long as there is next to nothing, and keeps that plan while the tables fill.
 */
const FIND = `
select ${columnsOf(files, "f")}, t.tenant_id
from (select * from files where project_id = $1 and path >= $2 order by path limit 1) f
cross join lateral (
  select id, tenant_id from tenants where project_id = f.project_id and id >= f.tenant order by id limit 1) t
where f.path = $2 and f.status <> 'deleting' and t.id = f.tenant and ($3::text is null or t.tenant_id = $3)`;

const fileOf = rowReader(files);

/**
 * One file of the project; one that is being deleted is none any more. A `tenantId` given beside the path must own it.
 *
 * @throws {StowageError} `file_not_found`, also for another project's or another tenant's file; `unavailable`
 */
export async function findFile(deps: { db: Queries }, project: Project, wanted: Wanted): Promise<FileRecord> {
  const { file, tenantId } = await find(deps, project, wanted);
  return toFileRecord({
    filePath: file.path,
    tenantId,
    filename: file.filename,
    contentType: file.contentType,
    size: file.size,
    status: file.status,
    etag: file.etag,
    metadata: file.metadata,
    createdAt: file.createdAt,
    storedAt: file.storedAt,
  });
}

/** The same file as its whole row, which is what a settle has to have seen. @throws as {@link findFile} does */
export async function findFileRow(
  deps: { db: Queries },
  project: Project,
  wanted: Wanted,
): Promise<typeof files.$inferSelect> {
  return (await find(deps, project, wanted)).file;
}

async function find(deps: { db: Queries }, project: Project, { filePath, tenantId }: Wanted): Promise<Found> {
  const parameters = [project.id, filePath, tenantId ?? null];
  const [row] = await deps.db.execute<{ tenant_id: string }>(FIND, parameters);
  if (!row) throw new StowageError("file_not_found");
  return { file: fileOf(row), tenantId: row.tenant_id };
}
