import { type CountLimits, type ErrorCode, StowageError } from "@stowage/schemas";
import { and, eq, inArray } from "drizzle-orm";
import type { AuditActor } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import { type CreateDownloadDeps, signDownload } from "./create-download.js";
import { type FileRecord, toFileRecord } from "#files/record/file-record.js";
import { listedStatuses } from "#files/list/file-filter.js";
import { type LinkRecord, selectLinks, toLinkRecord } from "#files/list/list-links.js";
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

/** A line of an export, in camelCase. Each file and link has the cursor that continues an export after it. */
export type ExportLine =
  | ({ type: "tenant" } & TenantRecord)
  | ({ type: "file"; cursor: string; presignedUrl: string | null; urlExpiresAt: string | null } & FileRecord)
  | ({ type: "link"; cursor: string } & LinkRecord)
  | { type: "end"; files: number; links: number };

type FileRow = typeof files.$inferSelect;

/** Rows per query. */
const PAGE_SIZE = 500;
const LIST = "export";
/** Stands in the cursor of a link for the time at which a file was created: the links follow all files. */
const AFTER_FILES = Number.MAX_SAFE_INTEGER;

/**
 * Everything that the service knows of a tenant: a line about the tenant, one for each of its files, oldest first, one for each
 * of its share links, newest first, and one that marks the end. Only stored files have a URL, which is valid for an hour. Links have
 * none, because only their hashes are known. Each call is written to the audit log, also one that goes on with `after`: it hands out data.
 * Lines are read only as fast as the caller takes them.
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
  const count = { file: 0, link: 0 };
  const startsWithLinks = start?.key === String(AFTER_FILES);
  const parts = [
    ...(startsWithLinks ? [] : [readFileLines(deps, project, tenant.tenantId, start)]),
    readLinkLines(deps, project, tenant.tenantId, startsWithLinks ? start?.id : undefined),
  ];
  for (const part of parts) {
    for await (const lines of part) {
      for (const { type } of lines) count[type]++;
      yield lines;
    }
  }
  yield [{ type: "end", files: count.file, links: count.link }];
}

type FileLine = Extract<ExportLine, { type: "file" }>;
type LinkLine = Extract<ExportLine, { type: "link" }>;

async function* readFileLines(
  deps: ExportTenantDeps,
  project: Project,
  tenantId: string,
  start: { key: string; id: number } | undefined,
): AsyncGenerator<FileLine[], void, undefined> {
  const query = {
    projectId: project.id,
    tenantId,
    statuses: listedStatuses,
    sort: "created_at" as const,
    order: "asc" as const,
  };
  for (let after = start; ;) {
    const page = await deps.db.run((db) => readFiles(db, query, { after, limit: PAGE_SIZE }));
    if (page.rows.length > 0) yield await toLines(deps, project, page.rows);
    if (!page.rest) return;
    after = page.rest;
  }
}

async function* readLinkLines(
  deps: ExportTenantDeps,
  project: Project,
  tenantId: string,
  start: number | undefined,
): AsyncGenerator<LinkLine[], void, undefined> {
  for (let after = start; ;) {
    const of = { projectId: project.id, tenantId, after };
    const rows = await deps.db.run((db) => selectLinks(db, of).limit(PAGE_SIZE));
    if (rows.length === 0) return;
    yield rows.map((row) => ({
      type: "link",
      cursor: writeCursor(LIST, [AFTER_FILES, row.id]),
      ...toLinkRecord(row),
    }));
    after = rows.at(-1)!.id;
  }
}

const MAX_CONCURRENT_CHECKS = 8;

/** In the order of the list. */
async function toLines(deps: ExportTenantDeps, project: Project, listed: FileInList[]): Promise<FileLine[]> {
  const scanPolicy = await readScanPolicy(deps, project.id);
  const ids = listed.map(({ file }) => file.id);
  const rows = await deps.db.run((db) =>
    db
      .select()
      .from(files)
      .where(and(eq(files.projectId, project.id), inArray(files.id, ids))),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const lines = new Map<number, FileLine>();
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
): Promise<FileLine> {
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
