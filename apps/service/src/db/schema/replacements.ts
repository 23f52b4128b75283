import { bigint, boolean, foreignKey, pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import { tenants } from "./tenants.js";

/**
 * Uploads that replace a stored file when their bytes arrive: see files/end and files/upload/admit-replacement.ts. A row is deleted when
 * either file is deleted, or when the upload's bytes arrive.
 * Locks: the files, then these rows in the order of the old files, then the tenants.
 */
export const replacements = pgTable(
  "replacements",
  {
    projectId: bigint("project_id", { mode: "number" }).notNull(),
    /** `files.id` of the stored file. */
    oldFile: bigint("old_file", { mode: "number" }).notNull(),
    /** `files.id` of the upload. It keeps its row when it expires, until another upload replaces the file. */
    newFile: bigint("new_file", { mode: "number" }).notNull(),
    /** `tenants.id` of both. */
    tenant: bigint("tenant", { mode: "number" }).notNull(),
    /**
     * Bytes of the old file that the upload may use: they are in `files.reserved_bytes` of the upload, and not in
     * `tenants.reserved_bytes`. Never more than the size of either file. 0 if the old file will count in the trash.
     */
    creditBytes: bigint("credit_bytes", { mode: "number" }).notNull(),
    /** Whether the old file goes to the trash: the project had one when the upload was requested. */
    trashesOld: boolean("trashes_old").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.oldFile] }),
    uniqueIndex("replacements_by_new_file").on(table.projectId, table.newFile),
    foreignKey({
      name: "replacements_tenant",
      columns: [table.projectId, table.tenant],
      foreignColumns: [tenants.projectId, tenants.id],
    }),
  ],
);
