import { type FileStatus, fileStatuses } from "@stowage/schemas";
import type { FileKind, FileSort, SortOrder } from "@stowage/schemas/dashboard";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { tenants } from "#db/schema/index.js";
import { containsPattern } from "#lib/search.js";

/** The statuses that lists may show. A file that is being deleted is in no list. */
export const listedStatuses = fileStatuses.filter((status) => status !== "deleting");

export interface FileFilter {
  projectId: number;
  tenantId?: string | undefined;
  statuses: FileStatus[];
  q?: string | undefined;
  kind?: FileKind | undefined;
  /** Upload requested at this time or later, and before the other one. */
  from?: Date | undefined;
  before?: Date | undefined;
}

/** Which files of a project to read, and in which order. */
export interface FilesQuery extends FileFilter {
  sort: FileSort;
  order: SortOrder;
}

/**
 * The conditions on rows that a status query has returned: those that the status query itself does not check (see status-query.ts).
 * Column names are those of its result.
 *
 * @param isLargeTenant whether the status query reads the whole project and leaves the tenant to this filter
 */
export function remainingFilter(query: FilesQuery, isLargeTenant: boolean): SQL | undefined {
  const { q, kind, projectId, tenantId, sort } = query;
  return and(
    q === undefined ? undefined : sql`filename ilike ${containsPattern(q.normalize("NFC"))}`,
    kind === undefined ? undefined : kinds[kind],
    ...(sort === "created_at" ? [] : dateConditions(query, sql`created_at`)),
    isLargeTenant && tenantId !== undefined
      ? sql`tenant = ${selectTenantId(projectId, tenantId)}`
      : undefined,
  );
}

export function dateConditions({ from, before }: FileFilter, createdAt: SQL): (SQL | undefined)[] {
  return [
    from && sql`${createdAt} >= ${from.toISOString()}::timestamptz`,
    before && sql`${createdAt} < ${before.toISOString()}::timestamptz`,
  ];
}

const kinds: Record<FileKind, SQL> = {
  image: sql`lower(type) like 'image/%'`,
  video: sql`lower(type) like 'video/%'`,
  audio: sql`lower(type) like 'audio/%'`,
  text: sql`lower(type) like 'text/%'`,
  pdf: sql`lower(type) like 'application/pdf%'`,
  other: sql`lower(type) !~ '^(image/|video/|audio/|text/|application/pdf)'`,
};

/**
 * The internal id of a tenant, as a subquery: this way the plan is that of one known tenant. For an unknown tenant it is null,
 * which matches no file.
 */
export function selectTenantId(projectId: number, tenantId: string): SQL {
  const isThis = and(eq(tenants.projectId, projectId), eq(tenants.tenantId, tenantId));
  return sql`(select ${tenants.id} from ${tenants} where ${isThis})`;
}
