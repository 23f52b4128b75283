import { and, gt, lte, type SQL, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { IS_IN_FOLDER, KEY_OF_FOLDER } from "#db/schema/conditions.js";
import { HIDDEN } from "#db/schema/file-statuses.js";
import { files } from "#db/schema/index.js";
import { isInOrBelow } from "#files/record/file-conditions.js";

/** What a job does to the files in a folder and below it. */
export interface FolderChange {
  /** Never the root. */
  from: string;
  /** The folder's new name. Null: the files are deleted. */
  to: string | null;
}

/** The folder of one tenant whose files a job changes. */
export interface ChangedFolder extends FolderChange {
  projectId: number;
  /** `tenants.id` */
  tenant: number;
}

/** How many segments a folder has. */
export const depthOf = (folder: string) => (folder === "" ? 0 : folder.split("/").length);

/**
 * Counts the files that a job would change now.
 *
 * @returns also the largest id of the project's files, and how many segments the deepest folder has that a counted file is in
 */
export async function countFiles(
  db: Queries,
  folder: ChangedFolder,
): Promise<{ lastId: number; total: number; depth: number }> {
  return db.run(async (drizzle) => {
    const [newest] = await drizzle
      .select({ id: sql<number | null>`max(${files.id})` })
      .from(files)
      .where(sql`${files.projectId} = ${folder.projectId}`);
    const lastId = newest?.id ?? 0;
    const [counted] = await drizzle
      .select({
        total: sql<number>`count(*)::int`,
        depth: sql<number>`coalesce(max(cardinality(string_to_array(${files.folder}, '/'))), 0)::int`,
      })
      .from(files)
      .where(and(isChanged(folder), lte(files.id, lastId)));
    return { lastId, total: counted?.total ?? 0, depth: counted?.depth ?? 0 };
  });
}

/** The ids of the next files of a job, in their order, from those after `after` to `lastId`. They may be elsewhere when they are locked. */
export async function findNextFiles(
  db: Queries,
  folder: ChangedFolder,
  { after, lastId, limit }: { after: number; lastId: number; limit: number },
): Promise<number[]> {
  const rows = await db.run((drizzle) =>
    drizzle
      .select({ id: files.id })
      .from(files)
      .where(and(isChanged(folder), gt(files.id, after), lte(files.id, lastId)))
      // Not the plain id: PostgreSQL would read all files of the project in the order of their ids.
      .orderBy(sql`${files.id} + 0`)
      .limit(limit),
  );
  return rows.map(({ id }) => id);
}

/** A move changes files in the trash too. The first conditions are those of the index `files_in_folder`, whose key is cut. */
function isChanged({ projectId, tenant, from, to }: ChangedFolder): SQL | undefined {
  const key = sql.raw(KEY_OF_FOLDER);
  return and(
    sql`${files.projectId} = ${projectId} and ${files.tenant} = ${tenant} and ${sql.raw(IS_IN_FOLDER)}`,
    sql`${key} >= "left"(${from}::text, 250) and ${key} <= "left"(${`${from}0`}::text, 250)`,
    isInOrBelow(sql`${files.folder}`, from),
    to === null
      ? sql`(${files.status} in ${sql.raw(HIDDEN)}) is not true`
      : sql`(${files.status} = 'deleting') is not true`,
  );
}
