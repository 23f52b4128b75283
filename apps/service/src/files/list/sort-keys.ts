import type { FileSort } from "@stowage/operator-schemas";
import { type SQL, sql } from "drizzle-orm";
import { files } from "#db/schema/index.js";

/** The position of a file in a list: its sort key as text, and its id. */
export interface FileKey {
  key: string;
  id: number;
}

/** After which file a page starts, in the order of the query, and its maximum length. */
export interface PageBounds {
  after: FileKey | undefined;
  limit: number;
}

interface SortKey {
  /** The same expression as in the index for this order. */
  expression: SQL;
  /** Converts a key to text without loss. */
  write(key: SQL): SQL<string>;
  /** Converts the text back to a key. */
  read(key: string): SQL;
  /** Whether `read` accepts this text. */
  isKey(text: string): boolean;
}

export const sortKeys: Record<FileSort, SortKey> = {
  // In microseconds, like PostgreSQL. A JavaScript Date is coarser: with it, pages would repeat some files and skip others.
  created_at: {
    expression: sql`${files.createdAt}`,
    write: (key) => sql<string>`(extract(epoch from ${key}) * 1000000)::bigint::text`,
    read: (text) => {
      const instant = new Date(Math.floor(Number(text) / 1000)).toISOString();
      return sql`${instant.replace("Z", `${text.slice(-3).padStart(3, "0")}Z`)}::timestamptz`;
    },
    isKey: isNumber,
  },
  // In the order of bytes: cheap to compare, and a new version of a locale cannot corrupt the index.
  filename: {
    expression: sql`lower(${files.filename}) collate "C"`,
    write: (key) => sql<string>`${key}`,
    read: (text) => sql`${text}::text collate "C"`,
    isKey: (text) => !/\p{Cc}/u.test(text),
  },
  // A pending upload has the size that it declared.
  size: {
    expression: sql`coalesce(${files.size}, ${files.declaredSize}, 0)`,
    write: (key) => sql<string>`${key}::text`,
    read: (text) => sql`${text}::bigint`,
    isKey: isNumber,
  },
};

function isNumber(text: string): boolean {
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));
}
