import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** One customer project: one API key, many tenants. */
export const projects = pgTable(
  "projects",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** 128 random bits, the project's name in every path. */
    ref: text("ref").notNull().unique(),
    name: text("name").notNull(),
    /** Hex SHA-256 of the key: the key itself is shown once and kept nowhere. */
    apiKeyHash: text("api_key_hash").notNull().unique(),
    /** The key's first and last characters, so that people can tell which key they hold. */
    apiKeyStart: text("api_key_start").notNull(),
    apiKeyLast4: text("api_key_last4").notNull(),
    /** Bytes each tenant may use unless it has a quota of its own; null means the service's default. */
    defaultQuotaBytes: bigint("default_quota_bytes", { mode: "number" }),
    maxFileBytes: bigint("max_file_bytes", { mode: "number" }).notNull(),
    requireSize: boolean("require_size").notNull().default(false),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    keyCreatedAt: timestamp("key_created_at", { withTimezone: true }).notNull(),
    /** To the minute or so: see key-uses.ts. */
    keyLastUsedAt: timestamp("key_last_used_at", { withTimezone: true }),
    /** When it was deleted: from then on nobody finds it, and its files are taken away (see empty-projects.ts). */
    deletedAt: timestamp("deleted_at", { withTimezone: true }),
    /** When its files are looked after next; null unless it is deleted. */
    nextPurgeAt: timestamp("next_empty_at", { withTimezone: true }),
  },
  (table) => [
    index("projects_to_empty")
      .on(table.nextPurgeAt)
      .where(sql`${table.nextPurgeAt} is not null`),
    check("projects_quota_not_negative", sql`${table.defaultQuotaBytes} >= 0`),
    check("projects_max_file_not_negative", sql`${table.maxFileBytes} >= 0`),
  ],
);
