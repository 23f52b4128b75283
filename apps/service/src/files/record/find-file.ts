import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { columnList, createRowParser } from "#db/raw-rows.js";
import { files } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import type { ScanPolicy } from "#projects/scan-policy.js";
import { type FileRecord, toFileRecord } from "./file-record.js";
import { HIDDEN } from "#db/schema/file-statuses.js";

export interface FileReference {
  filePath: string;
  /** If given, the file must belong to this tenant. */
  tenantId?: string | undefined;
}

/*
 * A prepared statement, because every completion, download and read of one file starts with it. It asks for the first file at or
 * after the path, and the first tenant at or after the id, because only the right index has them in that order. If it asked for
 * equality, PostgreSQL could choose any index that starts with the project while the tables are nearly empty, and would keep that
 * plan while they grow. Each part names the project, so that Citus runs the statement on the node of that project.
 */
const findStatement = (wanted: string) => `
select ${columnList(files, "f")}, t.tenant_id, p.scan, p.allow_unscannable
from ${wanted}
cross join lateral (select * from files where project_id = $1 and path >= wanted.path order by path limit 1) f
cross join lateral (
  select id, tenant_id from tenants where project_id = $1 and id >= f.tenant order by id limit 1) t
cross join (select scan, allow_unscannable from projects where id = $1) p
where f.path = wanted.path and f.status not in ${HIDDEN} and t.id = f.tenant
  and ($3::text is null or t.tenant_id = $3)`;

const FIND = findStatement("(select $2::text as path) wanted");
const FIND_MANY = findStatement("json_array_elements_text($2::text::json) as wanted (path)");

const parseFile = createRowParser(files);

/**
 * Finds one file of the project by its path.
 *
 * @throws {StowageError} `file_not_found`, also for another project's or another tenant's file, and for one that is being deleted or in the
 * trash; `unavailable`
 */
export async function findFile(
  deps: { db: Queries; store: Pick<ObjectStore, "published"> },
  project: Project,
  reference: FileReference,
): Promise<FileRecord> {
  return toRecord(await findFileAndTenant(deps, project, reference), deps.store);
}

/** A file's row, its tenant's id, and what its project decided about virus scans. */
export interface FoundFile {
  file: typeof files.$inferSelect;
  tenantId: string;
  scanPolicy: ScanPolicy;
}

/** @param store see {@link toFileRecord} */
export function toRecord(
  { file, tenantId }: Pick<FoundFile, "file" | "tenantId">,
  store: Pick<ObjectStore, "published"> | null,
): FileRecord {
  return toFileRecord({ ...file, filePath: file.path, tenantId }, store);
}

/**
 * Finds the same file and returns its whole row, which a settle needs.
 *
 * @throws the same errors as {@link findFile}
 */
export async function findFileRow(
  deps: { db: Queries },
  project: Project,
  reference: FileReference,
): Promise<typeof files.$inferSelect> {
  return (await findFileAndTenant(deps, project, reference)).file;
}

/**
 * Finds the same file and returns what a {@link FoundFile} has.
 *
 * @throws the same errors as {@link findFile}
 */
export async function findFileAndTenant(
  deps: { db: Queries },
  project: Project,
  { filePath, tenantId }: FileReference,
): Promise<FoundFile> {
  const [row] = await deps.db.execute<FoundRow>(FIND, [project.id, filePath, tenantId ?? null]);
  if (!row) throw new StowageError("file_not_found");
  return parseRow(row);
}

export interface FileReferences {
  filePaths: readonly string[];
  /** If given, the files must belong to this tenant. */
  tenantId?: string | undefined;
}

/**
 * Finds files by their paths with one statement. Files for which {@link findFile} throws `file_not_found` are left out.
 *
 * @returns the files by their paths
 * @throws {StowageError} `unavailable`
 */
export async function findFiles(
  deps: { db: Queries },
  project: Project,
  { filePaths, tenantId }: FileReferences,
): Promise<Map<string, FoundFile>> {
  const parameters = [project.id, JSON.stringify(filePaths), tenantId ?? null];
  const rows = await deps.db.execute<FoundRow>(FIND_MANY, parameters);
  return new Map(rows.map(parseRow).map((found) => [found.file.path, found]));
}

function parseRow(row: FoundRow): FoundFile {
  const scanPolicy = { scan: row.scan, allowUnscannable: row.allow_unscannable };
  return { file: parseFile(row), tenantId: row.tenant_id, scanPolicy };
}

type FoundRow = Record<string, unknown> & {
  tenant_id: string;
  scan: ScanPolicy["scan"];
  allow_unscannable: boolean;
};
