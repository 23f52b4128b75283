import { fileStatusTraits } from "@stowage/operator-schemas";
import type { FileStatus } from "@stowage/schemas";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Drizzle } from "#db/client.js";
import { IS_IN_FOLDER, KEY_OF_FOLDER } from "#db/schema/conditions.js";
import { files } from "#db/schema/index.js";
import { SEARCH_WINDOW } from "#lib/search.js";
import {
  dateConditions,
  type FileFilter,
  type FilesQuery,
  hasDetailFilter,
  readsByFolder,
  selectTenantId,
} from "./file-filter.js";
import { type PageBounds, sortKeys } from "./sort-keys.js";
import { statusesThat } from "#db/schema/file-statuses.js";

/**
 * The next files of one status, in the order of the list. Every status is read on its own, as a contiguous part of an index on
 * (…, status, key, id): so a filter by status finds its rows side by side, and a million files that wait for their removal are
 * never read.
 *
 * The indexes by name and by size cover only settled files of a whole project. Pending files, those in the trash and the files of one
 * tenant are read by time and then sorted. That reads all of them, but they are rarely more than a window. For a tenant with more
 * files the project's index is read, and the tenant becomes one more filter (see file-filter.ts).
 */
export function statusQuery(
  query: FilesQuery,
  status: FileStatus,
  { after, limit }: PageBounds,
  isLargeTenant: boolean,
): SQL {
  const { sort, order, projectId, tenantId } = query;
  const direction = sql.raw(order);
  const hasIndex =
    sort === "created_at" || (hasOtherIndexes(status) && (tenantId === undefined || isLargeTenant));
  const isOfTenant =
    tenantId === undefined || (hasIndex && sort !== "created_at")
      ? undefined
      : eq(files.tenant, selectTenantId(projectId, tenantId));
  const isListed = and(eq(files.projectId, projectId), hasLiteralStatus(status), isOfTenant);
  const { expression, read } = sortKeys[sort];
  const isAfter = (key: SQL, id: SQL) =>
    after &&
    sql`(${key}, ${id}) ${sql.raw(order === "desc" ? "<" : ">")} (${read(after.key)}, ${after.id}::bigint)`;
  const details = hasDetailFilter(query)
    ? sql`, ${files.metadata} as metadata, ${files.size} as size, ${files.folder} as folder`
    : sql``;
  const entries = sql`select ${files.id} as id, ${expression} as key, ${files.filename} as filename,
    ${files.contentType} as type, ${files.createdAt} as created_at, ${files.tenant} as tenant, ${files.status} as status,
    ${files.urlExpiresAt} as url_expires_at, ${files.partSize} as part_size${details} from ${files}`;
  if (hasIndex) {
    const where = and(
      isListed,
      readsByFolder(query) ? isInFolder(query.folder!) : undefined,
      isAfter(expression, sql`${files.id}`),
      ...(sort === "created_at" ? dateConditions(query, sql`${files.createdAt}`) : []),
    );
    return sql`${entries} where ${where} order by ${expression} ${direction}, ${files.id} ${direction} limit ${limit}`;
  }
  return sql`select * from (${entries} where ${isListed}
      order by ${files.createdAt} desc, ${files.id} desc limit ${SEARCH_WINDOW}) newest
    where ${isAfter(sql`key`, sql`id`) ?? sql`true`} order by key ${direction}, id ${direction} limit ${limit}`;
}

/** The condition of the index, its column, and the rest of a name that is longer. */
function isInFolder(folder: string): SQL {
  const key = sql.raw(KEY_OF_FOLDER);
  return sql`${sql.raw(IS_IN_FOLDER)} and ${key} = "left"(${folder}, 250) and ${files.folder} = ${folder}`;
}

/** The indexes by name and by size contain only files of these statuses. */
const hasOtherIndexes = (status: FileStatus) => fileStatusTraits[status].isSorted;

/** Whether the tenant has more settled files than one page may read and sort. */
export async function findIsLargeTenant(db: Drizzle, { projectId, tenantId }: FileFilter): Promise<boolean> {
  if (tenantId === undefined) return false;
  const hasMore = (status: FileStatus) => sql`exists (
    select ${files.id} from ${files}
    where ${files.projectId} = ${projectId} and ${files.tenant} = ${selectTenantId(projectId, tenantId)}
      and ${hasLiteralStatus(status)}
    order by ${files.createdAt} desc, ${files.id} desc offset ${SEARCH_WINDOW} limit 1)`;
  const [row] = await db.execute<{ isLarge: boolean }>(
    sql`select ${sql.join(statusesThat("isSorted").map(hasMore), sql` or `)} as "isLarge"`,
  );
  return row?.isLarge ?? false;
}

/**
 * The status is part of the statement's text and not a parameter, because PostgreSQL uses a partial index only for values that it
 * knows.
 */
function hasLiteralStatus(status: FileStatus): SQL {
  return sql`${files.status} = ${sql.raw(`'${status}'`)}`;
}
