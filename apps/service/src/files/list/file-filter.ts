import { type FileStatus, fileStatuses } from "@stowage/schemas";
import {
  fileStates,
  fileStatusTraits,
  type FileKind,
  type FileSort,
  type FileState,
  type SortOrder,
} from "@stowage/operator-schemas";
import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { IS_BY_PARTS } from "#db/schema/conditions.js";
import { fileEvents, tenants } from "#db/schema/index.js";
import { isInOrBelow } from "#files/record/file-conditions.js";
import { containsPattern } from "#lib/search.js";

/** The statuses that lists may show. A file that is being deleted is in no list. */
export const listedStatuses = fileStatuses.filter((status) => fileStatusTraits[status].states.length > 0);

/** The statuses in a list that was not asked for any. A file in the trash must be asked for. */
export const defaultStatuses = listedStatuses.filter((status) => !fileStatusTraits[status].isHidden);

export interface FileFilter {
  projectId: number;
  tenantId?: string | undefined;
  statuses: FileStatus[];
  /** The states to list, if they are only a part of the statuses above. */
  states?: { chosen: readonly FileState[]; now: Date } | undefined;
  q?: string | undefined;
  kind?: FileKind | undefined;
  /** Members that a file must have. */
  metadata?: Record<string, string> | undefined;
  /** Only files in this folder. */
  folder?: string | undefined;
  /** Only files in this folder or below it. */
  folderBelow?: string | undefined;
  /** In lower case, without parameters: `image/png`, or `image/*`. */
  contentType?: string | undefined;
  /** Bytes of stored files, both inclusive. */
  sizeFrom?: number | undefined;
  sizeTo?: number | undefined;
  /** Only files that are uploaded by parts. */
  isByParts?: boolean | undefined;
  /** Upload requested at this time or later, and before the other one. */
  from?: Date | undefined;
  before?: Date | undefined;
}

/** Which files of a project to read, and in which order. */
export interface FilesQuery extends FileFilter {
  sort: FileSort;
  order: SortOrder;
}

/** The statuses to read for these states, and the states if the statuses contain files of other states too. */
export function selectStates(
  chosen: readonly FileState[],
  now: Date,
): Pick<FileFilter, "statuses" | "states"> {
  const statuses = listedStatuses.filter((status) => chosen.some((state) => isIn(state, status)));
  const isPart = fileStates.some(
    (state) => !chosen.includes(state) && statuses.some((status) => isIn(state, status)),
  );
  return { statuses, states: isPart ? { chosen, now } : undefined };
}

function isIn(state: FileState, status: FileStatus): boolean {
  return fileStatusTraits[status].states.includes(state);
}

/**
 * The conditions on rows that a status query has returned: those that the status query itself does not check (see status-query.ts).
 * The columns have the names of its result, which the statement calls `seen`.
 *
 * @param isLargeTenant whether the status query reads the whole project and leaves the tenant to this filter
 */
export function remainingFilter(query: FilesQuery, isLargeTenant: boolean): SQL | undefined {
  const { q, kind, isByParts, projectId, tenantId, sort, states } = query;
  return and(
    states && hasState(projectId, states),
    q === undefined ? undefined : sql`filename ilike ${containsPattern(q.normalize("NFC"))}`,
    kind === undefined ? undefined : kinds[kind],
    ...detailConditions(query),
    isByParts ? sql.raw(IS_BY_PARTS) : undefined,
    ...(sort === "created_at" ? [] : dateConditions(query, sql`created_at`)),
    isLargeTenant && tenantId !== undefined
      ? sql`tenant = ${selectTenantId(projectId, tenantId)}`
      : undefined,
  );
}

/** Whether the filters ask for columns that no index of a list has. Then the status query returns them too. */
export const hasDetailFilter = (query: FilesQuery): boolean =>
  detailConditions(query).some((condition) => condition !== undefined);

/** Whether a status query reads the files of the folder as a contiguous part of an index. The root has none. */
export const readsByFolder = ({ tenantId, folder, sort }: FilesQuery): boolean =>
  tenantId !== undefined && folder !== undefined && folder !== "" && sort === "created_at";

function detailConditions(query: FilesQuery): (SQL | undefined)[] {
  const { metadata, folder, folderBelow, contentType, sizeFrom, sizeTo } = query;
  return [
    folder === undefined || readsByFolder(query) ? undefined : sql`folder = ${folder}`,
    folderBelow === undefined ? undefined : isInOrBelow(sql`folder`, folderBelow),
    metadata && sql`metadata @> ${JSON.stringify(metadata)}::text::jsonb`,
    contentType === undefined ? undefined : hasMediaType(contentType),
    sizeFrom === undefined ? undefined : sql`size >= ${sizeFrom}::bigint`,
    sizeTo === undefined ? undefined : sql`size <= ${sizeTo}::bigint`,
  ];
}

function hasMediaType(type: string): SQL {
  const group = type.endsWith("/*") ? type.slice(0, -1) : undefined;
  return group === undefined
    ? sql`rtrim(split_part(lower(type), ';', 1), E' \\t') = ${type}`
    : sql`starts_with(lower(type), ${group})`;
}

/** Whether a row of a status query has one of these states at this time. */
export function hasState(
  projectId: number,
  { chosen, now }: NonNullable<FileFilter["states"]>,
): SQL | undefined {
  const isOpen = sql`url_expires_at > ${now.toISOString()}::timestamptz`;
  const conditions: Record<FileState, SQL> = {
    stored: sql`status = 'stored'`,
    uploading: sql`status = 'pending' and ${isOpen}`,
    unfinished: sql`(status = 'pending' and not ${isOpen} or status = 'expired' and not ${wasLost(projectId, sql`seen.id`)})`,
    trashed: sql`status = 'trashed'`,
    missing: sql`status = 'expired' and ${wasLost(projectId, sql`seen.id`)}`,
  };
  return or(...chosen.map((state) => conditions[state]));
}

/** Whether the object of this file has disappeared from storage once. Only the file's history knows. */
export function wasLost(projectId: number, fileId: SQL): SQL<boolean> {
  // Not `exists`: PostgreSQL might read the events of all files of the project at once.
  return sql<boolean>`(select true from ${fileEvents} lost
    where lost.project_id = ${projectId} and lost.file_id = ${fileId} and lost.kind = 'lost' limit 1) is true`;
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
 * The internal id of a tenant, as a subquery: this way PostgreSQL plans for one known tenant. For an unknown tenant it is null,
 * which matches no file.
 */
export function selectTenantId(projectId: number, tenantId: string): SQL {
  const isThis = and(eq(tenants.projectId, projectId), eq(tenants.tenantId, tenantId));
  return sql`(select ${tenants.id} from ${tenants} where ${isThis})`;
}
