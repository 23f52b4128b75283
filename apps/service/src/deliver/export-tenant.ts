import { type CountLimits, type ErrorCode, StowageError } from "@stowage/schemas";
import { and, eq, inArray } from "drizzle-orm";
import type { AuditActor } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import { type CreateDownloadDeps, signDownload } from "./create-download.js";
import { type FileRecord, toFileRecord } from "#files/record/file-record.js";
import { listedStatuses } from "#files/list/file-filter.js";
import { type FileInList, readFiles } from "#files/list/read-files.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { files } from "#db/schema/index.js";
import { readScanPolicy, type ScanPolicy } from "#projects/scan-policy.js";
import { readCursor, writeCursor } from "#lib/cursor.js";
import type { Project } from "#projects/find-project.js";
import { readTenant } from "#tenants/read-tenant.js";
import type { TenantRecord } from "#tenants/tenant-record.js";

export interface ExportTenantDeps {
  db: Queries;
  clock: () => Date;
  store: CreateDownloadDeps["store"];
  settling: CreateDownloadDeps["settling"];
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
}

/** A line of an export, in camelCase. Each file has the cursor that continues an export after it. */
export type ExportLine =
  | ({ type: "tenant" } & TenantRecord)
  | ({ type: "file"; cursor: string; presignedUrl: string | null; urlExpiresAt: string | null } & FileRecord)
  | { type: "end"; files: number };

type FileRow = typeof files.$inferSelect;

/** Rows per query. */
const PAGE_SIZE = 500;
const LIST = "export";

/**
 * Everything that the service knows of a tenant: a line about the tenant, one for each of its files, oldest first, and one that marks
 * the end. Only stored files have a URL, which is valid for an hour. Each call is written to the audit log, also one that goes
 * on with `after`: it hands out data. Lines are read only as fast as the caller takes them.
 *
 * @param input.after the cursor of the last line that the caller has got
 * @throws {StowageError} `not_found` for an unknown tenant; `invalid_request` for a cursor that no export made; `unavailable`
 */
export async function exportTenant(
  deps: ExportTenantDeps,
  project: Project,
  input: { tenantId: string; after?: string | undefined },
  by: AuditActor,
): Promise<AsyncGenerator<ExportLine[], void, undefined>> {
  const { tenantId, after } = input;
  const [createdAt, id] = after === undefined ? [] : readCursor(LIST, ["number", "number"], after);
  const { own: _, defaults: __, ...tenant } = await readTenant(deps, project, { tenantId });
  await audit(deps, project, tenantId, by);
  return readLines(deps, project, tenant, id === undefined ? undefined : { key: String(createdAt), id });
}

async function audit(
  deps: ExportTenantDeps,
  project: Project,
  tenantId: string,
  by: AuditActor,
): Promise<void> {
  await deps.db.run((db) =>
    db.transaction((tx) =>
      writeAudit(
        tx,
        { ...by, at: deps.clock() },
        { action: "tenant.exported", projectId: project.id, details: { tenantId } },
      ),
    ),
  );
}

async function* readLines(
  deps: ExportTenantDeps,
  project: Project,
  tenant: TenantRecord,
  start: { key: string; id: number } | undefined,
): AsyncGenerator<ExportLine[], void, undefined> {
  if (!start) yield [{ type: "tenant", ...tenant }];
  const query = {
    projectId: project.id,
    tenantId: tenant.tenantId,
    statuses: listedStatuses,
    sort: "created_at" as const,
    order: "asc" as const,
  };
  let count = 0;
  for (let after = start; ;) {
    const page = await deps.db.run((db) => readFiles(db, query, { after, limit: PAGE_SIZE }));
    const lines = await toLines(deps, project, page.rows);
    count += lines.length;
    if (lines.length > 0) yield lines;
    if (!page.rest) break;
    after = page.rest;
  }
  yield [{ type: "end", files: count }];
}

const MAX_CONCURRENT_CHECKS = 8;

/** In the order of the list. */
async function toLines(
  deps: ExportTenantDeps,
  project: Project,
  listed: FileInList[],
): Promise<ExportLine[]> {
  if (listed.length === 0) return [];
  const scanPolicy = await readScanPolicy(deps, project.id);
  const ids = listed.map(({ file }) => file.id);
  const rows = await deps.db.run((db) =>
    db
      .select()
      .from(files)
      .where(and(eq(files.projectId, project.id), inArray(files.id, ids))),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const lines = new Map<number, ExportLine>();
  await forEachBounded(listed, MAX_CONCURRENT_CHECKS, async (entry) => {
    const { id } = entry.file;
    lines.set(id, await toLine(deps, entry, { row: byId.get(id), scanPolicy }));
  });
  return ids.flatMap((id) => lines.get(id) ?? []);
}

/** The URL of a file that a virus scan keeps from being downloaded is null. */
async function toLine(
  deps: ExportTenantDeps,
  { key, file: listed }: FileInList,
  { row, scanPolicy }: { row: FileRow | undefined; scanPolicy: ScanPolicy },
): Promise<ExportLine> {
  const signed = row && (await signDownload(deps, { file: row, scanPolicy }, {}).catch(nullIfRefused));
  return {
    type: "file",
    cursor: writeCursor(LIST, [Number(key), listed.id]),
    ...toFileRecord(listed, deps.store),
    presignedUrl: signed?.presignedUrl ?? null,
    urlExpiresAt: signed?.expiresAt ?? null,
  };
}

/** The reasons for which a stored file has no URL. After any other error, a line without a URL would be wrong. */
const REFUSALS: ErrorCode[] = ["file_not_found", "file_not_scanned", "file_quarantined"];

function nullIfRefused(error: unknown): null {
  if (error instanceof StowageError && REFUSALS.includes(error.code)) return null;
  throw error;
}
