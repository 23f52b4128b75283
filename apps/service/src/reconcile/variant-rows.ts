import { and, asc, eq, gt } from "drizzle-orm";
import type { Database } from "#db/client.js";
import { fileVariants } from "#db/schema/index.js";

/** A variant is compared like a file: one that is being made or removed may have an object or not. */
export async function readVariantRows(
  db: Database,
  projectId: number,
  { after, limit }: { after: string; limit: number },
) {
  const rows = await db.run((db) =>
    db
      .select({ path: fileVariants.path, ...comparedColumns })
      .from(fileVariants)
      .where(and(eq(fileVariants.projectId, projectId), gt(fileVariants.path, after)))
      .orderBy(asc(fileVariants.path))
      .limit(limit),
  );
  return rows.map(toComparable);
}

/** One row, by its path. */
export async function readVariantRow(db: Database, projectId: number, path: string) {
  const [row] = await db.run((db) =>
    db
      .select({ ...comparedColumns, revision: fileVariants.claim })
      .from(fileVariants)
      .where(and(eq(fileVariants.projectId, projectId), eq(fileVariants.path, path))),
  );
  return row ? toComparable(row) : null;
}

const comparedColumns = {
  status: fileVariants.status,
  size: fileVariants.size,
  publication: fileVariants.publication,
};

type Compared = Pick<typeof fileVariants.$inferSelect, keyof typeof comparedColumns>;

/** The row of a variant as the comparison knows rows. */
function toComparable<Row extends Compared>(row: Row) {
  const status = row.status === "ready" ? ("stored" as const) : ("deleting" as const);
  return {
    ...row,
    status,
    etag: null,
    isVariant: true,
    hasOtherCopy: row.publication !== "none",
    isPublished: row.publication === "done",
  };
}
