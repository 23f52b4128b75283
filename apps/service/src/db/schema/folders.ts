import { sql } from "drizzle-orm";
import { bigint, check, customType, foreignKey, integer, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { objectKey } from "./object-key.js";
import { tenants } from "./tenants.js";

const bytea = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

/**
 * One row for each folder that has a file which counts, in it or below it (docs/decisions/0074). The counters are the sums over `files`: only
 * `add_folder_usage` changes them, in the transaction that changes the file.
 */
export const folders = pgTable(
  "folders",
  {
    projectId: bigint("project_id", { mode: "number" }).notNull(),
    /** `tenants.id` in the same project. */
    tenant: bigint("tenant", { mode: "number" }).notNull(),
    /** The SHA-256 of the whole name of the folder that this one is in. The name itself may be longer than an index takes. */
    parent: bytea("parent").notNull(),
    /** The last segment of the folder's name. */
    name: objectKey("name").notNull(),
    /** Stored files and those in the trash, with those below. */
    fileCount: integer("file_count").notNull(),
    /** Sum of their `size`. */
    usedBytes: bigint("used_bytes", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.tenant, table.parent, table.name] }),
    foreignKey({
      name: "folders_tenant",
      columns: [table.projectId, table.tenant],
      foreignColumns: [tenants.projectId, tenants.id],
    }),
    check("folders_not_negative", sql`${table.fileCount} >= 0 and ${table.usedBytes} >= 0`),
  ],
);
