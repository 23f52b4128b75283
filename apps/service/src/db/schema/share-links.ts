import { dispositions } from "@stowage/schemas";
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from "drizzle-orm/pg-core";
import { files } from "./files.js";

/** Links that everyone who has one can use to download a file. A revoked link has no row. They go with the row of their file. */
export const shareLinks = pgTable(
  "share_links",
  {
    projectId: bigint("project_id", { mode: "number" }).notNull(),
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** 128 random bits. Names the link in calls, and does not open it. */
    ref: text("ref").notNull(),
    fileId: bigint("file_id", { mode: "number" }).notNull(),
    /** `tenants.id` of the file. */
    tenant: bigint("tenant", { mode: "number" }).notNull(),
    /** Hex SHA-256 of the token. The token itself is shown once and not stored. */
    tokenHash: text("token_hash").notNull(),
    /** scrypt, see auth/better-auth-passwords.ts. Null: the link has no password. */
    passwordHash: text("password_hash"),
    disposition: text("disposition", { enum: dispositions }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** When it ends; null if it has no end. */
    expiresAt: timestamp("expires_at", { withTimezone: true }),
    /** Null: no limit. */
    maxDownloads: integer("max_downloads"),
    downloads: bigint("downloads", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("share_links_ref").on(table.projectId, table.ref),
    unique("share_links_token").on(table.projectId, table.tokenHash),
    foreignKey({
      name: "share_links_file",
      columns: [table.projectId, table.fileId],
      foreignColumns: [files.projectId, files.id],
    }).onDelete("cascade"),
    index("share_links_of_file").on(table.projectId, table.fileId, table.id),
    index("share_links_of_tenant").on(table.projectId, table.tenant, table.id),
    check("share_links_downloads", sql`${table.downloads} <= ${table.maxDownloads}`),
  ],
);
