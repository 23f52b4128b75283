import type { FileStatus } from "@stowage/schemas";
import type { FileKind, FileSort, SortOrder } from "@stowage/schemas/dashboard";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Drizzle } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import { containing, SCATTERED_WINDOW, SEARCH_WINDOW } from "#lib/search.js";
import { fileColumns } from "#files/file-record.js";
import { type FileKey, sortKeys } from "./sort-keys.js";

/** Which files of a project are read, and in which order. */
export interface FilesRange {
  projectId: number;
  tenantId?: string | undefined;
  statuses: FileStatus[];
  q?: string | undefined;
  kind?: FileKind | undefined;
  /** Asked for at this time or later, and before that one. */
  from?: Date | undefined;
  before?: Date | undefined;
  sort: FileSort;
  order: SortOrder;
}

/** From where, and how many. */
export interface FilesStretch {
  after: FileKey | undefined;
  limit: number;
}

export type ReadFile = Awaited<ReturnType<typeof selectFiles>>[number]["file"];

/**
 * The next files of a range. The cost is that of `limit` rows for each status, or of the search's window, however many files
 * there are: where a filter has no index behind it, the page may be short, or empty, and still have a next one.
 */
export async function readFiles(
  db: Drizzle,
  range: FilesRange,
  { after, limit }: FilesStretch,
): Promise<{ files: ReadFile[]; next: FileKey | null }> {
  if (range.statuses.length === 0) return { files: [], next: null };
  const isLarge = range.sort !== "created_at" && (await findLarge(db, range));
  const filter = filterOf(range, isLarge);
  const searched = range.sort === "created_at" ? SEARCH_WINDOW : SCATTERED_WINDOW;
  const window = filter === undefined ? limit : searched;
  const readings = range.statuses.map(
    (status) => sql`(${readingOf(range, status, { after, limit: window + 1 }, isLarge)})`,
  );
  const direction = sql.raw(range.order);
  // Names are compared outside of the limit: inside, the planner might read the whole table for them.
  const listed = sql`
    select listed.*, row_number() over (order by listed.key ${direction}, listed.id ${direction}) as n
    from (${sql.join(readings, sql` union all `)}) listed
    order by n limit ${window + 1}`;
  const hits = sql`(
    select id, key, n from (${listed}) seen where n > ${window} or (${filter ?? sql`true`})
    order by n limit ${limit + 1}) as hit`;
  const rows = await selectFiles(db, range, hits);
  const page = rows.slice(0, limit).filter(({ n }) => n <= window);
  const beyond = rows.at(-1);
  return { files: page.map(({ file }) => file), next: nextOf() };

  function nextOf(): FileKey | null {
    const last = page.at(-1);
    if (rows.length > limit && last) return { key: last.key, id: last.file.id };
    // A search that found no more goes on with the first file that it did not read.
    if (beyond && beyond.n > window)
      return { key: beyond.key, id: beyond.file.id + (range.order === "desc" ? 1 : -1) };
    return null;
  }
}

function selectFiles(db: Drizzle, range: FilesRange, hits: SQL) {
  return db
    .select({
      n: sql<number>`hit.n`,
      key: sortKeys[range.sort].write(sql`hit.key`),
      file: {
        id: files.id,
        declaredSize: files.declaredSize,
        ...fileColumns,
        // One look-up for each row of the page, where a join might read all tenants.
        tenantId: sql<string>`(select ${tenants.tenantId} from ${tenants}
          where ${and(eq(tenants.projectId, files.projectId), eq(tenants.id, files.tenant))})`,
      },
    })
    .from(hits)
    .innerJoin(files, and(eq(files.projectId, range.projectId), eq(files.id, sql`hit.id`)))
    .orderBy(sql`hit.n`);
}

/*
 * Each status is read by itself, as a stretch of an index on (…, status, key, id), and the readings are merged: so every
 * filter finds its rows side by side, and a million files that wait for their removal are nowhere in the way.
 *
 * Names and sizes have an index for settled files of a project alone. What it does not cover, uploads under way and the files
 * of one tenant, is read by time and sorted: all of it, since that is rarely more than a window. A tenant with more is met
 * often enough in the project's index, and there its ID is one more filter.
 */
function readingOf(
  range: FilesRange,
  status: FileStatus,
  { after, limit }: FilesStretch,
  isLarge: boolean,
): SQL {
  const { sort, order, projectId, tenantId } = range;
  const direction = sql.raw(order);
  const isCovered = sort === "created_at" || (status !== "pending" && (tenantId === undefined || isLarge));
  const isOfTenant =
    tenantId === undefined || (isCovered && sort !== "created_at")
      ? undefined
      : eq(files.tenant, idOfTenant(projectId, tenantId));
  // In the text and not beside it: a partial index is for those who name its values.
  const isListed = and(
    eq(files.projectId, projectId),
    sql`${files.status} = ${sql.raw(`'${status}'`)}`,
    isOfTenant,
  );
  const { expression, read } = sortKeys[sort];
  const isAfter = (key: SQL, id: SQL) =>
    after &&
    sql`(${key}, ${id}) ${sql.raw(order === "desc" ? "<" : ">")} (${read(after.key)}, ${after.id}::bigint)`;
  const entries = sql`select ${files.id} as id, ${expression} as key, ${files.filename} as filename,
    ${files.contentType} as type, ${files.createdAt} as created_at, ${files.tenant} as tenant from ${files}`;
  if (isCovered) {
    const where = and(
      isListed,
      isAfter(expression, sql`${files.id}`),
      ...(sort === "created_at" ? datesOf(range, sql`${files.createdAt}`) : []),
    );
    return sql`${entries} where ${where} order by ${expression} ${direction}, ${files.id} ${direction} limit ${limit}`;
  }
  return sql`select * from (${entries} where ${isListed}
      order by ${files.createdAt} desc, ${files.id} desc limit ${SEARCH_WINDOW}) stretch
    where ${isAfter(sql`key`, sql`id`) ?? sql`true`} order by key ${direction}, id ${direction} limit ${limit}`;
}

/** What the reading itself does not see to. */
function filterOf(range: FilesRange, isLarge: boolean): SQL | undefined {
  const { q, kind, projectId, tenantId, sort } = range;
  return and(
    q === undefined ? undefined : sql`filename ilike ${containing(q.normalize("NFC"))}`,
    kind === undefined ? undefined : kinds[kind],
    ...(sort === "created_at" ? [] : datesOf(range, sql`created_at`)),
    isLarge && tenantId !== undefined ? sql`tenant = ${idOfTenant(projectId, tenantId)}` : undefined,
  );
}

function datesOf({ from, before }: FilesRange, at: SQL): (SQL | undefined)[] {
  return [
    from && sql`${at} >= ${from.toISOString()}::timestamptz`,
    before && sql`${at} < ${before.toISOString()}::timestamptz`,
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

/** Whether the tenant has more settled files than are read and sorted for one page. */
async function findLarge(db: Drizzle, { projectId, tenantId }: FilesRange): Promise<boolean> {
  if (tenantId === undefined) return false;
  const beyond = (status: FileStatus) => sql`exists (
    select ${files.id} from ${files}
    where ${files.projectId} = ${projectId} and ${files.tenant} = ${idOfTenant(projectId, tenantId)}
      and ${files.status} = ${sql.raw(`'${status}'`)}
    order by ${files.createdAt} desc, ${files.id} desc offset ${SEARCH_WINDOW} limit 1)`;
  const [row] = await db.execute<{ isLarge: boolean }>(
    sql`select ${beyond("stored")} or ${beyond("expired")} as "isLarge"`,
  );
  return row?.isLarge ?? false;
}

/** Inside of the query, so that its plan is that of a known tenant; an unknown one is null and has no files. */
function idOfTenant(projectId: number, tenantId: string): SQL {
  const isThis = and(eq(tenants.projectId, projectId), eq(tenants.tenantId, tenantId));
  return sql`(select ${tenants.id} from ${tenants} where ${isThis})`;
}
