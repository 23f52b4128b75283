import type { FileSort } from "@stowage/schemas/dashboard";
import { type SQL, sql } from "drizzle-orm";
import { files } from "#db/schema/index.js";

/** Where a file stands in a list: what the list is sorted by, as text, and the file's id. */
export interface FileKey {
  key: string;
  id: number;
}

interface SortKey {
  /** As the index of this sort has it. */
  expression: SQL;
  /** A key as text, whole. */
  write(key: SQL): SQL<string>;
  /** The text as a key. */
  read(key: string): SQL;
  /** Which texts can be read. */
  isKey(text: string): boolean;
}

const isNumber = (text: string) => /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));

export const sortKeys: Record<FileSort, SortKey> = {
  // In microseconds, as PostgreSQL counts: a Date is coarser, and would find some files twice and others not at all.
  created_at: {
    expression: sql`${files.createdAt}`,
    write: (key) => sql<string>`(extract(epoch from ${key}) * 1000000)::bigint::text`,
    read: (text) => {
      const instant = new Date(Math.floor(Number(text) / 1000)).toISOString();
      return sql`${instant.replace("Z", `${text.slice(-3).padStart(3, "0")}Z`)}::timestamptz`;
    },
    isKey: isNumber,
  },
  // By bytes: cheap to compare, and no other version of a locale puts an index into disorder.
  filename: {
    expression: sql`lower(${files.filename}) collate "C"`,
    write: (key) => sql<string>`${key}`,
    read: (text) => sql`${text}::text collate "C"`,
    isKey: (text) => !/\p{Cc}/u.test(text),
  },
  // An upload under way has the size that it announced.
  size: {
    expression: sql`coalesce(${files.size}, ${files.declaredSize}, 0)`,
    write: (key) => sql<string>`${key}::text`,
    read: (text) => sql`${text}::bigint`,
    isKey: isNumber,
  },
};
