import type { FileStatus } from "@stowage/schemas";
import { type SQL, sql } from "drizzle-orm";
import { files } from "#db/schema/index.js";

/**
 * Whether a file that is found by its path or its id has a status. As text, for which there is no index: PostgreSQL takes the one
 * by status whenever it believes that few have this one, and then a million files that wait are walked over for each of them.
 */
export function hasStatus(status: FileStatus): SQL {
  return sql`${files.status}::text = ${status}`;
}
