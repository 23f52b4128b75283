import { scanSettings } from "@stowage/operator-schemas";
import type { CountLimits } from "@stowage/schemas";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import { USES_CLAMAV } from "./conditions.js";

export const scanSetting = pgEnum("scan_setting", scanSettings);

/** One customer project: one API key, many tenants. */
export const projects = pgTable(
  "projects",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** 128 random bits. Identifies the project in every path. */
    ref: text("ref").notNull().unique(),
    name: text("name").notNull(),
    /** Hex SHA-256 of the key. The key itself is shown once and not stored. */
    apiKeyHash: text("api_key_hash").notNull().unique(),
    /** The key's first and last characters, so that people can tell which key they hold. */
    apiKeyStart: text("api_key_start").notNull(),
    apiKeyLast4: text("api_key_last4").notNull(),
    /** The quota in bytes of tenants without their own quota; null for the service's default. */
    defaultQuotaBytes: bigint("default_quota_bytes", { mode: "number" }),
    /** The limits of tenants that neither they nor their plans set; null for the service's. */
    defaultLimits: jsonb("default_limits").$type<CountLimits>(),
    maxFileBytes: bigint("max_file_bytes", { mode: "number" }).notNull(),
    requireSize: boolean("require_size").notNull().default(false),
    /**
     * Whether a file stays that is found larger than the free quota. True in the database's default, for the projects of the version
     * before it had this setting, and false for new ones.
     */
    allowOverQuota: boolean("allow_over_quota").notNull().default(true),
    /** How many days a deleted file stays in the trash. 0: deleted files are removed at once. */
    trashDays: integer("trash_days").notNull().default(0),
    /** How many replaced files are kept of each file. 0: no limit but the trash, and no versions. */
    maxVersions: integer("max_versions").notNull().default(0),
    /** Who scans the stored files for viruses. */
    scan: scanSetting("scan").notNull().default("off"),
    /** Whether files can be downloaded that the scanner cannot look into. */
    allowUnscannable: boolean("allow_unscannable").notNull().default(false),
    /**
     * While files that were stored before the setting changed are still to be marked for a scan: the id of the last file that was
     * looked at. Null otherwise: see scans/queue-for-scan.ts.
     */
    scanQueuedUpTo: bigint("scan_queued_up_to", { mode: "number" }),
    /** The storage in STORAGES_FILE that has the objects of the project. Only the end of a move changes it. Null: the default. */
    storage: text("storage"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    keyCreatedAt: timestamp("key_created_at", { withTimezone: true }).notNull(),
    /** Written with a delay of some seconds: see projects/key-use-buffer.ts. */
    keyLastUsedAt: timestamp("key_last_used_at", { withTimezone: true }),
    /** When the project was deleted. From then on no query finds it, and it is purged: see purge/purge-deleted-project.ts. */
    deletedAt: timestamp("deleted_at", { withTimezone: true }),
    /** When the purge continues; null unless the project is deleted. */
    nextPurgeAt: timestamp("next_purge_at", { withTimezone: true }),
  },
  (table) => [
    index("projects_to_purge")
      .on(table.nextPurgeAt)
      .where(sql`${table.nextPurgeAt} is not null`),
    index("projects_to_queue_for_scans")
      .on(table.id)
      .where(sql`${table.scanQueuedUpTo} is not null`),
    // Whether the installation needs its scanner: see health/check-readiness.ts.
    index("projects_with_clamav").on(table.id).where(sql.raw(USES_CLAMAV)),
    check("projects_quota_not_negative", sql`${table.defaultQuotaBytes} >= 0`),
    check("projects_trash_days", sql`${table.trashDays} between 0 and 90`),
    check("projects_max_versions", sql`${table.maxVersions} between 0 and 100`),
    check("projects_versions_need_trash", sql`${table.maxVersions} = 0 or ${table.trashDays} > 0`),
    check("projects_max_file_not_negative", sql`${table.maxFileBytes} >= 0`),
  ],
);
